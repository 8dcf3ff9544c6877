package io.parex.service;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a process that serves ranks: {@code parex.*} properties, or {@code PAREX_*} in the environment. A
 * {@code parex.*} property that is not here is refused at start. Sizes may have a unit (K, M, G: binary), durations too
 * (ms, s, m, h).
 */
@ConfigMapping(prefix = "parex")
public interface ParexConfig {

    /** The world. */
    WorldConfig world();

    /**
     * Rank of this process in a world of several, else 0. If it is not set: the pod's index, the ordinal at the end of
     * the hostname, or what the job's launcher has set.
     */
    OptionalInt rank();

    /** Number of ranks in each process: 1 where ranks are discovered, else, and in this release always, all. */
    OptionalInt ranksPerProcess();

    /**
     * How the other ranks are found: {@code static} by {@link #peers}, {@code dns} by {@link #service}. If it is not
     * set: by whichever of the two is; if neither is, all ranks live in this process.
     */
    Optional<String> discovery();

    /** {@code host:port} of every rank, in order, separated by commas. */
    Optional<String> peers();

    /** Name of the headless service of the ranks' pods. */
    Optional<String> service();

    /** Name of the ranks' StatefulSet; if it is not set, the hostname without its ordinal. */
    Optional<String> statefulSet();

    /** Addresses that count: {@code ipv4}, {@code ipv6} or {@code any}. */
    @WithDefault("any")
    String addressFamily();

    /** Address by which others know this rank; if it is not set, one of this host that others can reach. */
    Optional<String> advertise();

    /** The listener for other ranks. */
    FabricConfig fabric();

    /**
     * Choice of algorithms, equal in all processes, such as {@code all_reduce:ring;broadcast:^chain}; the planner
     * chooses if it is not set.
     */
    Optional<String> algorithm();

    /**
     * Whether reductions combine each element in the order of the ranks, so that the bits of a result depend on nothing
     * but the inputs; equal in all processes.
     */
    @WithDefault("false")
    String deterministic();

    /**
     * File with the costs of links by which algorithms are chosen, equal in all processes; built in if it is not set.
     */
    Optional<String> costTable();

    /** What reduces: {@code vector} instructions, {@code scalar} code, or {@code auto}, vector where it is fast. */
    @WithDefault("auto")
    String kernels();

    /** Memory between clients and fabric. */
    StagingConfig staging();

    /** Memory of the fabric itself. */
    ScratchConfig scratch();

    /** Memory shared with clients on this machine. */
    SharedConfig shared();

    /** Limits of a session. */
    SessionConfig session();

    /** Limits of time. */
    TimeoutConfig timeout();

    /** The world that the ranks form. */
    interface WorldConfig {
        /** Its name. */
        @WithDefault("parex")
        String name();

        /** Number of ranks, 1 to 1024. */
        @WithDefault("1")
        int size();
    }

    /** Where other ranks connect. */
    interface FabricConfig {
        /** Address to listen on; all of this host if it is not set. */
        Optional<String> host();

        /** Port to listen on; 0: any that is free. */
        @WithDefault("7610")
        int port();
    }

    /** Native memory that holds tensors between clients and fabric. */
    interface StagingConfig {
        /**
         * Bytes for all calls in flight of the process: an all_reduce takes the size of its tensor, every other call at
         * most a window for what it sends and one for what it gets. A call that does not fit is refused
         * (RESOURCE_EXHAUSTED). If not set: a quarter of the memory of the machine or container, at most 8 GiB.
         */
        Optional<MemorySize> maxBytes();

        /** Bytes of the window through which a tensor of any size streams; a multiple of 16, at least 2 MiB. */
        @WithDefault("4M")
        MemorySize windowBytes();
    }

    /** Native memory of the fabric. */
    interface ScratchConfig {
        /**
         * Bytes, for all ranks of the process, for copies of small messages and for partial results; at least 1 MiB for
         * each rank, of which 256 MiB in all is enough.
         */
        @WithDefault("256M")
        MemorySize maxBytes();
    }

    /** Memory that ranks share with clients on their machine, so that tensors go through no socket. */
    interface SharedConfig {
        /**
         * Directory that clients see at the same path, for the sockets at which they ask for memory; none is shared if
         * it is not set.
         */
        Optional<String> directory();

        /**
         * Bytes for all clients of the process; tensors of a client that is refused more are copied in chunks. If not
         * set: a quarter of the memory of the machine or container, at most 8 GiB.
         */
        Optional<MemorySize> maxBytes();

        /** Bytes for one client. If not set: an equal share of {@link #maxBytes} for each rank of the process. */
        Optional<MemorySize> clientMaxBytes();

        /**
         * Numbers of the users whose processes may be clients, separated by commas, besides the rank's own user and the
         * superuser.
         */
        Optional<String> users();
    }

    /** Limits of a session. */
    interface SessionConfig {
        /** Operations submitted and not ended. */
        @WithDefault("4096")
        int maxOperations();
    }

    /** Limits of time. */
    interface TimeoutConfig {
        /** A call that names no timeout ends after this long. */
        @WithDefault("10m")
        Duration call();

        /** A call that waits for longer is logged, and again after each such interval. */
        @WithDefault("10s")
        Duration warn();

        /** A rank without a sign of life for this long is lost. */
        @WithDefault("5s")
        Duration peer();

        /** The other ranks may take this long to be there. */
        @WithDefault("5m")
        Duration start();

        /** At shutdown calls in flight may go on for this long; Kubernetes allows 30 s by default. */
        @WithDefault("25s")
        Duration drain();

        /** A client that leaves results unread for this long is cut off, so that it cannot hold memory for ever. */
        @WithDefault("2m")
        Duration stalledReader();
    }
}
