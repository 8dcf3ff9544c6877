package io.parex.discovery;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.time.Duration;

/**
 * Both families of one name, asked for at once. With the addresses of one at hand the other has a short grace, so that
 * a server which drops questions for it costs next to nothing. One event loop only.
 */
final class FamilyRace {
    private final Vertx vertx;
    private final Duration grace;
    private final Promise<Answer> result;
    private Answer first;
    private Answer second;

    private FamilyRace(ContextInternal context, Duration grace) {
        this.vertx = context.owner();
        this.grace = grace;
        this.result = context.promise();
    }

    /** The answer of both, {@code first} leading. */
    static Future<Answer> of(ContextInternal context, Duration grace, Future<Answer> first, Future<Answer> second) {
        FamilyRace race = new FamilyRace(context, grace);
        first.onComplete(
                answer -> {
                    race.first = answer;
                    race.arrived(answer);
                },
                race.result::tryFail);
        second.onComplete(
                answer -> {
                    race.second = answer;
                    race.arrived(answer);
                },
                race.result::tryFail);
        return race.result.future();
    }

    private void arrived(Answer answer) {
        if (first != null && second != null) {
            result.tryComplete(Answer.merge(first, second));
        } else if (answer.isFound()) {
            vertx.setTimer(Math.max(1, grace.toMillis()), id -> result.tryComplete(Answer.merge(first, second)));
        }
    }
}
