package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Worlds.InPlace;
import io.parex.schedule.Primitive;
import io.parex.schedule.ScheduleFault;
import io.parex.schedule.ScheduleValidator;
import io.parex.schedule.Validation;
import io.parex.schedule.Validation.Sent;
import io.parex.schedule.WorldSchedules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Validates an algorithm for every root, count, cut into blocks and aliasing of a world, and compares with formulas.
 */
final class Sweep {
    private static final int EVERY_ROOT_UP_TO = 9;
    private static final int THOROUGH_UP_TO = 8;
    private static final int PATTERNS = 4;

    /** So many elements that no algorithm takes the tensor for a short one. */
    private static final int LONG = 401;

    private final Algorithm algorithm;
    private long calls;
    private long checks;

    Sweep(Algorithm algorithm) {
        this.algorithm = algorithm;
    }

    /** How many calls were validated. */
    long calls() {
        return calls;
    }

    /** How many conditions were tested. */
    long checks() {
        return checks;
    }

    /** All calls of one world. */
    void run(int size) {
        for (int root : roots(algorithm.primitive(), size)) {
            for (InPlace inPlace : aliasings(algorithm.primitive())) {
                String where = "%s %s on %d ranks, root %d, in place %s, "
                        .formatted(algorithm.primitive().label(), algorithm.name(), size, root, inPlace);
                for (int count : counts(algorithm.primitive(), size)) {
                    validate(Worlds.of(algorithm, size, count, root, inPlace), where + "count " + count);
                }
                for (int pattern = 0; pattern < patterns(algorithm, size); pattern++) {
                    validate(Worlds.uneven(algorithm, size, pattern, root, inPlace), where + "pattern " + pattern);
                }
            }
        }
    }

    private void validate(WorldSchedules world, String call) {
        try {
            Validation validation = world.size() <= THOROUGH_UP_TO
                    ? ScheduleValidator.validateThoroughly(world)
                    : ScheduleValidator.validate(world);
            for (int rank = 0; rank < world.size(); rank++) {
                Formulas formulas = new Formulas(algorithm, world.problems().get(rank));
                Sent sent = validation.sent().get(rank);
                assertEquals(formulas.sent().orElse(sent), sent, call + ": sent by rank " + rank);
                formulas.rounds().ifPresent(rounds -> assertEquals(rounds, validation.rounds(), call + ": rounds"));
            }
            assertTrue(validation.inRankOrder() || !algorithm.inRankOrder(), call + ": not summed in rank order");
            calls++;
            checks += validation.checks() + world.size();
        } catch (ScheduleFault fault) {
            throw new AssertionError(call + ": " + fault.getMessage(), fault);
        }
    }

    private static Set<Integer> roots(Primitive primitive, int size) {
        if (!primitive.rooted()) {
            return Set.of(0);
        }
        IntStream roots = size <= EVERY_ROOT_UP_TO ? IntStream.range(0, size) : IntStream.of(0, 1, size / 2, size - 1);
        return new LinkedHashSet<>(roots.boxed().toList());
    }

    private static Set<Integer> counts(Primitive primitive, int size) {
        if (primitive == Primitive.BARRIER) {
            return Set.of(0);
        }
        return primitive.isBlocked()
                ? Set.of(0, 1, 3)
                : new LinkedHashSet<>(List.of(
                        0,
                        1,
                        size - 1,
                        size,
                        size + 1,
                        size <= 33 ? 2 * size + 3 : 0,
                        size <= THOROUGH_UP_TO ? LONG : 0));
    }

    private static int patterns(Algorithm algorithm, int size) {
        Primitive form = algorithm.primitive().vForm();
        return form.isV() && algorithm.handles(form, size) ? PATTERNS : 0;
    }

    private static List<InPlace> aliasings(Primitive primitive) {
        boolean never = primitive == Primitive.BARRIER || primitive == Primitive.BROADCAST;
        return never ? List.of(InPlace.NONE) : List.of(InPlace.values());
    }

    /** The number of calls of one world: all combinations of roots, aliasings, and counts or patterns. */
    static long expectedCalls(Algorithm algorithm, int size) {
        Primitive primitive = algorithm.primitive();
        long roots = !primitive.rooted() ? 1 : size <= 9 ? size : 4;
        long cuts = switch (primitive) {
            case BARRIER -> 1;
            case BROADCAST, REDUCE, ALL_REDUCE ->
                (size == 1 ? 4 : size == 2 || size > 33 ? 5 : 6) + (size <= THOROUGH_UP_TO ? 1 : 0);
            default -> algorithm.handles(primitive.vForm(), size) ? 7 : 3;
        };
        boolean inPlace = primitive != Primitive.BARRIER && primitive != Primitive.BROADCAST;
        return roots * cuts * (inPlace ? 3 : 1);
    }
}
