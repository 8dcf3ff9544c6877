package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.v1.CallHeader;
import io.parex.world.Call;
import io.parex.world.CallOptions;
import io.parex.world.ProcessGroup;
import io.parex.world.TensorStream;

/**
 * What a client asks for, read from its header and checked as far as the header alone allows.
 *
 * @param group on which the call is made, of the hosted rank that makes it; until its next recovery
 * @param primitive what is called
 * @param header what the client said of the call
 * @param input tensor that the client sends, null for none
 * @param output tensor that the client gets, null for none
 * @param sharing where they lie in memory
 * @param options what {@code header} says, as the world takes it
 * @param form makes the call once its streams exist
 * @param wrong why the call cannot be meant; null if it can
 */
record CallPlan(
        ProcessGroup group,
        Primitive primitive,
        CallHeader header,
        Shape input,
        Shape output,
        Sharing sharing,
        CallOptions options,
        Form form,
        ParexException wrong) {

    /** Makes the call of its streams; null where there is no input or output. */
    @FunctionalInterface
    interface Form {
        Call of(TensorStream input, TensorStream output, CallOptions options);
    }

    /** A collective that cannot be meant: it keeps its turn, and fails on all members then. */
    static CallPlan wrong(ProcessGroup group, Primitive primitive, CallHeader header, ParexException why) {
        Form unmade = (in, out, options) -> Call.unmade(primitive);
        return new CallPlan(group, primitive, header, null, null, Sharing.NONE, CallOptions.DEFAULT, unmade, why);
    }

    int rank() {
        return group.world().rank();
    }

    /** Whether all members take part, so that the order of calls matters on all of them. */
    boolean isCollective() {
        return primitive.isCollective();
    }

    /** Whether it needs memory for whole tensors: what reads or writes them in another order than that of a stream. */
    boolean isWhole() {
        return isCollective() && primitive != Primitive.BROADCAST;
    }

    CallLabel label() {
        return new CallLabel(rank(), primitive.label(), header);
    }

    Call call(TensorStream in, TensorStream out) {
        return form.of(in, out, options);
    }

    /** This plan with other options. */
    CallPlan with(CallOptions changed) {
        return new CallPlan(group, primitive, header, input, output, sharing, changed, form, wrong);
    }
}
