package io.parex.cli;

import io.parex.ParexException;
import io.parex.service.Setting;
import java.util.List;
import java.util.Set;

/**
 * Settings and a command that starts a local world: the command says how many ranks there are and where, so whoever has
 * set something else would get what he did not ask for. A value that says the same is accepted, and so are the names of
 * torchrun ({@code RANK}, {@code WORLD_SIZE}), which are no settings of Parex here: the command may itself be part of a
 * job.
 *
 * @param command its name
 * @param ranks number of ranks
 * @param isolation where they live
 * @param given what is set
 */
record LocalWorldRules(String command, int ranks, Isolation isolation, Given given) {
    /** In the environment of a job that another Parex has started: the rank there is that of the job. */
    private static final String JOB_VARIABLE = "PAREX_ENDPOINT";

    private static final String LEAVE_OUT = ": leave it out";

    /** How ranks on several machines find each other. */
    private static final List<Setting> OF_OTHER_MACHINES =
            List.of(Setting.DISCOVERY, Setting.PEERS, Setting.SERVICE, Setting.STATEFUL_SET, Setting.ADVERTISE);

    private static final List<Setting> PORTS = List.of(Setting.GRPC_PORT, Setting.MANAGEMENT_PORT, Setting.HTTP_PORT);

    /** Refuses a setting that contradicts the command, or that it cannot follow; names it. */
    void check() {
        accept(
                Setting.WORLD_SIZE,
                Set.of(Integer.toString(ranks)),
                "parex " + command + " makes a world of " + ranks + " (-n)" + LEAVE_OUT + ", or change -n");
        int perProcess = isolation == Isolation.JVM ? ranks : 1;
        accept(
                Setting.RANKS_PER_PROCESS,
                Set.of(Integer.toString(perProcess)),
                "with --isolation " + isolation.label() + " it is " + perProcess + LEAVE_OUT);
        if (!(given.isFromEnvironment(Setting.RANK) && given.hasVariable(JOB_VARIABLE))) {
            accept(
                    Setting.RANK,
                    isolation == Isolation.JVM || ranks == 1 ? Set.of("0") : Set.of(),
                    "parex " + command + " starts all ranks" + LEAVE_OUT);
        }
        for (Setting setting : OF_OTHER_MACHINES) {
            accept(setting, Set.of(), alone());
        }
        accept(Setting.ADDRESS_FAMILY, Set.of("any"), alone());
        boolean listens = isolation == Isolation.PROCESS;
        accept(Setting.FABRIC_HOST, listens ? Set.of(Server.LOOPBACK) : Set.of(), alone());
        accept(Setting.FABRIC_PORT, listens ? Set.of("0") : Set.of(), alone());
        if (isolation == Isolation.PROCESS && ranks > 1) {
            for (Setting port : PORTS) {
                accept(
                        port,
                        Set.of("0"),
                        "the processes of " + ranks + " ranks cannot all listen there" + LEAVE_OUT
                                + ", or say --isolation jvm");
            }
        }
    }

    private String alone() {
        return "the ranks of parex " + command + " are all on this machine and told where the others are; it is for"
                + " parex serve" + LEAVE_OUT;
    }

    private void accept(Setting setting, Set<String> same, String reason) {
        given.value(setting).filter(value -> !same.contains(value)).ifPresent(value -> {
            throw ParexException.argument(setting + " is '" + value + "', but " + reason);
        });
    }
}
