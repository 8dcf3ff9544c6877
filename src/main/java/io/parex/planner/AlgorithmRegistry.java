package io.parex.planner;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.BinomialBroadcast;
import io.parex.algorithm.BinomialGather;
import io.parex.algorithm.BinomialReduce;
import io.parex.algorithm.BinomialScatter;
import io.parex.algorithm.BruckAllGather;
import io.parex.algorithm.BruckAllToAll;
import io.parex.algorithm.ChainBroadcast;
import io.parex.algorithm.ChainReduce;
import io.parex.algorithm.CirculantBroadcast;
import io.parex.algorithm.DirectAllReduce;
import io.parex.algorithm.DirectAllToAll;
import io.parex.algorithm.DirectBlocksAllReduce;
import io.parex.algorithm.DirectReduce;
import io.parex.algorithm.DirectReduceScatter;
import io.parex.algorithm.DisseminationBarrier;
import io.parex.algorithm.DoubleTreeAllReduce;
import io.parex.algorithm.DoubleTreeBroadcast;
import io.parex.algorithm.HierarchicalAllReduce;
import io.parex.algorithm.HierarchicalBroadcast;
import io.parex.algorithm.LinearGather;
import io.parex.algorithm.LinearScatter;
import io.parex.algorithm.PairwiseAllToAll;
import io.parex.algorithm.RabenseifnerAllReduce;
import io.parex.algorithm.RecursiveDoublingAllGather;
import io.parex.algorithm.RecursiveDoublingAllReduce;
import io.parex.algorithm.RecursiveHalvingReduceScatter;
import io.parex.algorithm.ReduceScatterGatherReduce;
import io.parex.algorithm.RingAllGather;
import io.parex.algorithm.RingAllReduce;
import io.parex.algorithm.RingReduceScatter;
import io.parex.algorithm.ScatterAllGatherBroadcast;
import io.parex.algorithm.TreeAllReduce;
import io.parex.schedule.Primitive;
import java.util.List;
import java.util.stream.Collectors;

/** All algorithms by primitive and name. */
public final class AlgorithmRegistry {
    private final List<Algorithm> algorithms;

    /** A registry of the given algorithms, in the order in which they are listed to users. */
    public AlgorithmRegistry(List<Algorithm> algorithms) {
        this.algorithms = List.copyOf(algorithms);
    }

    /** Every algorithm of Parex. */
    public static AlgorithmRegistry standard() {
        return new AlgorithmRegistry(List.of(
                new DisseminationBarrier(),
                new BinomialBroadcast(),
                new ChainBroadcast(),
                new ScatterAllGatherBroadcast(),
                new DoubleTreeBroadcast(),
                new CirculantBroadcast(),
                new HierarchicalBroadcast(),
                new LinearScatter(),
                new BinomialScatter(),
                new LinearGather(),
                new BinomialGather(),
                new RingAllGather(),
                new RecursiveDoublingAllGather(),
                new BruckAllGather(),
                new BinomialReduce(),
                new ChainReduce(),
                new DirectReduce(),
                new ReduceScatterGatherReduce(),
                new RingReduceScatter(),
                new RecursiveHalvingReduceScatter(),
                new DirectReduceScatter(),
                new RingAllReduce(),
                new RecursiveDoublingAllReduce(),
                new RabenseifnerAllReduce(),
                new TreeAllReduce(),
                new DoubleTreeAllReduce(),
                new DirectAllReduce(),
                new DirectBlocksAllReduce(),
                new HierarchicalAllReduce(),
                new PairwiseAllToAll(),
                new DirectAllToAll(),
                new BruckAllToAll()));
    }

    /** All of them. */
    public List<Algorithm> all() {
        return algorithms;
    }

    /** Those of one primitive or v-form, none if it is not run by schedules. */
    public List<Algorithm> of(Primitive primitive) {
        return algorithms.stream()
                .filter(algorithm -> algorithm.primitive() == primitive.base())
                .toList();
    }

    /** The named algorithm; an unknown name is an argument error that lists the known ones. */
    public Algorithm find(Primitive primitive, String name) {
        return of(primitive).stream()
                .filter(algorithm -> algorithm.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ParexException.argument(
                        "no algorithm '" + name + "' for " + primitive.label() + "; known: " + names(primitive)));
    }

    /** The names for one primitive, such as {@code ring, recursive_doubling}. */
    String names(Primitive primitive) {
        List<Algorithm> known = of(primitive);
        return known.isEmpty() ? "none" : known.stream().map(Algorithm::name).collect(Collectors.joining(", "));
    }
}
