package io.parex.cli;

import io.parex.ParexException;
import io.parex.service.Setting;

/** What of the settings concerns a benchmark, whose options say all else. */
final class BenchSettings {
    private BenchSettings() {}

    /** Refuses a setting that says of what is measured something else than the options do. */
    static void check(int ranks, Given given) {
        given.value(Setting.WORLD_SIZE)
                .filter(value -> !value.equals(Integer.toString(ranks)))
                .ifPresent(value -> {
                    throw ParexException.argument(Setting.WORLD_SIZE + " is '" + value + "', but parex bench makes a"
                            + " world of " + ranks + " (-n): leave it out, or change -n");
                });
        given.value(Setting.COST_TABLE).ifPresent(value -> {
            throw ParexException.argument(Setting.COST_TABLE + " is '" + value
                    + "', but parex bench measures with the table that is built in: leave it out");
        });
        given.value(Setting.DETERMINISTIC).ifPresent(value -> {
            throw ParexException.argument(Setting.DETERMINISTIC + " is '" + value
                    + "', but parex bench measures what the planner or --algorithm chooses: leave it out");
        });
        given.value(Setting.ALGORITHM).ifPresent(value -> {
            throw ParexException.argument(
                    Setting.ALGORITHM + " is '" + value + "', but parex bench takes --algorithm:" + " leave it out");
        });
    }

    /** Passes on what the kernels, which know no environment, read when the first reduction is made. */
    static void chooseKernels(Given given) {
        given.value(Setting.KERNELS).ifPresent(value -> {
            if (!Setting.KERNEL_NAMES.contains(value)) {
                throw Setting.KERNELS.refusal(value);
            }
            System.setProperty(Setting.KERNELS.property(), value);
        });
    }
}
