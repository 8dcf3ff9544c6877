package io.parex.service;

import io.parex.v1.Completed;
import io.parex.world.Completion;

/** Good outcomes as clients get them. */
final class Completions {
    private Completions() {}

    static Completed message(Completion completion) {
        Completed.Builder message =
                Completed.newBuilder().setCount(completion.count()).addAllLengths(completion.lengths());
        if (completion.source() >= 0) {
            message.setSource(completion.source());
            message.setTag(completion.tag());
        }
        return message.build();
    }
}
