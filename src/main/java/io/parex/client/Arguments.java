package io.parex.client;

import io.parex.ParexException;
import io.parex.tensor.Accessibility;
import io.parex.tensor.TensorView;

/**
 * Refuses what cannot be meant before anything is sent: memory that cannot be used would otherwise be found out while
 * gRPC reads or writes it, which breaks the whole session.
 */
final class Arguments {
    private Arguments() {}

    /** {@code value}, which must be there; messages call it {@code what}. */
    static <T> T given(T value, String what) {
        if (value == null) {
            throw ParexException.argument("the " + what + " is missing (null)");
        }
        return value;
    }

    /** A tensor to send. */
    static TensorView readable(TensorView tensor) {
        return usable(given(tensor, "tensor to send"), false);
    }

    /** A tensor to fill. */
    static TensorView writable(TensorView tensor) {
        return usable(given(tensor, "tensor to fill"), true);
    }

    private static TensorView usable(TensorView tensor, boolean written) {
        String fault = Accessibility.fault(tensor.segment(), written);
        if (fault != null) {
            throw ParexException.argument(fault + " (a tensor of " + tensor.count() + " "
                    + tensor.type().label() + ")");
        }
        return tensor;
    }
}
