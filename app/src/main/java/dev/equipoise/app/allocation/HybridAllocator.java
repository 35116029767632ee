package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.hybrid.AllReduceModel;
import dev.equipoise.performance.hybrid.Costs;
import dev.equipoise.performance.hybrid.Formation;
import dev.equipoise.performance.hybrid.HybridShares;
import dev.equipoise.performance.hybrid.Perceptron;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Topology;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Computes the groups, hidden units and shares of a run with hybrid parallelism (Ozawa, Sugaya and
 * Aso; docs/algorithms.md, section 8). Pure.
 *
 * @param allocator the allocator with the workers and the speeds of the ranks
 * @param wanted the partitioning of its configuration
 * @param measured all-reduces over the workers of the run; empty for a virtual run
 */
public record HybridAllocator(
        Allocator allocator, Partitioning.Hybrid wanted, List<MeasuredAllReduce> measured) {

    public HybridAllocator {
        measured = List.copyOf(measured);
    }

    /** The fastest group formation that the definition allows, and all others for comparison. */
    public HybridAllocationView hybrid() {
        List<HybridShares> all = formations();
        HybridShares chosen =
                all.stream()
                        .filter(this::isWanted)
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalStateException("no group formation matches " + wanted));
        return new HybridAllocationView(
                grouping(chosen),
                Partitioner.inProportion(configuration().dataset().limit(), chosen.samples()),
                compared(all, chosen),
                chosen.parts().stream().map(part -> seconds(part, chosen)).toList(),
                bytes(chosen));
    }

    private static Grouping grouping(HybridShares chosen) {
        return new Grouping(
                chosen.formation().groups().stream()
                        .map(group -> group.stream().map(Formation.Member::rank).toList())
                        .toList(),
                chosen.units());
    }

    /** All formations by ascending number of groups. */
    private static List<HybridAllocationView.Formation> compared(
            List<HybridShares> all, HybridShares chosen) {
        return all.stream()
                .sorted(Comparator.comparingInt(it -> it.formation().dataParallel()))
                .map(it ->
                        new HybridAllocationView.Formation(
                                it.formation().nodeParallel(),
                                it.formation().dataParallel(),
                                it.seconds(),
                                it.sumSeconds(),
                                it.equals(chosen)))
                .toList();
    }

    private static RankSeconds seconds(HybridShares.Part part, HybridShares chosen) {
        return new RankSeconds(
                part.computeSeconds(),
                part.sumSeconds(),
                Math.max(0, chosen.seconds() - part.computeSeconds() - part.sumSeconds()));
    }

    /** Bytes of a round: outputs inside each group and gradients across the groups. */
    private long bytes(HybridShares chosen) {
        Perceptron perceptron = Perceptron.of(configuration().architecture()).orElseThrow();
        var costs = new CostModel(0, 0, 0);
        Formation formation = chosen.formation();
        double outputs =
                chosen.samples().stream()
                        .mapToDouble(samples ->
                                costs.bytes(
                                        algorithm(),
                                        formation.nodeParallel(),
                                        (long) Float.BYTES * samples * perceptron.outputs()))
                        .sum();
        double gradients =
                chosen.units().stream()
                        .mapToDouble(units ->
                                costs.bytes(
                                        algorithm(),
                                        formation.dataParallel(),
                                        (long) Float.BYTES
                                                * units
                                                * (perceptron.inputs() + perceptron.outputs())))
                        .sum();
        return Math.round(outputs + gradients);
    }

    /** The rank allocations; the first rank of a group has the samples of the group. */
    public List<RankAllocation> allocations(HybridAllocationView hybrid) {
        Grouping grouping = hybrid.grouping();
        List<Integer> bounds = MemoryEstimate.bounds(configuration(), allocator.chosen());
        return IntStream.range(0, configuration().ranks())
                .mapToObj(rank ->
                        new RankAllocation(
                                allocator.speeds().worker(rank).id(),
                                allocator.speeds().worker(rank).name(),
                                grouping.positionOf(rank) == 0
                                        ? hybrid.samples().get(grouping.groupOf(rank))
                                        : 0,
                                bounds.get(rank),
                                null,
                                allocator.speeds().worker(rank).host().arithmetic(),
                                allocator.speeds().worker(rank).host().backend()))
                .toList();
    }

    private boolean isWanted(HybridShares shares) {
        Integer nodeParallel = wanted.nodeParallel();
        return nodeParallel == null || shares.formation().nodeParallel() == nodeParallel;
    }

    /** All group formations, the fastest first; the fastest rank has the capability 1. */
    private List<HybridShares> formations() {
        Perceptron perceptron = Perceptron.of(configuration().architecture()).orElseThrow();
        List<Double> seconds =
                IntStream.range(0, configuration().ranks())
                        .mapToObj(this::secondsPerSample)
                        .toList();
        double least = Collections.min(seconds);
        return HybridShares.ofAllFormations(
                perceptron,
                configuration().samplesOfRound(),
                costs(perceptron, seconds),
                allReduces(),
                seconds.stream().map(each -> least / each).toList(),
                wanted.shares());
    }

    /**
     * The costs at capability 1: those of the fastest rank, with the time of a sigmoid that its
     * worker has measured. On a virtual clock, and without a measurement, a sigmoid has its assumed
     * cost.
     */
    private Costs costs(Perceptron perceptron, List<Double> seconds) {
        double least = Collections.min(seconds);
        OptionalDouble sigmoid = allocator.speeds().sigmoid(seconds.indexOf(least));
        return sigmoid.isPresent()
                ? Costs.of(perceptron, least, sigmoid.getAsDouble())
                : Costs.of(perceptron, least);
    }

    /** Seconds a sample on the whole network, at the mini-batch size of the definition. */
    private double secondsPerSample(int rank) {
        SpeedFunction speed = allocator.speeds().of(rank).orElseThrow();
        int samples = configuration().training().batchSize();
        return speed.seconds(samples) / samples;
    }

    private AllReduceModel allReduces() {
        List<AllReduceModel.Timed> timed =
                configuration().execution() instanceof Execution.Virtual virtual
                        ? ofLink(virtual.link(), algorithm())
                        : measured.stream()
                                .map(it ->
                                        new AllReduceModel.Timed(
                                                it.ranks(), it.numbers(), it.seconds()))
                                .toList();
        return AllReduceModel.calibrated(timed);
    }

    private static List<AllReduceModel.Timed> ofLink(Execution.Link link, Topology.Algorithm by) {
        return byFormula(LinkCost.of(link), by);
    }

    /** Times by the cost formulas over equal links (docs/algorithms.md, section 3). */
    private static List<AllReduceModel.Timed> byFormula(LinkCost link, Topology.Algorithm by) {
        var costs = new CostModel(link.latency(), link.secondsPerByte(), 0);
        return AllReduceModel.timed(
                (ranks, numbers) -> costs.seconds(by, ranks, (long) numbers * Float.BYTES));
    }

    /** Expected all-reduces over equal links, for workers without measurements. */
    public static List<MeasuredAllReduce> expected(LinkCost link, Topology.Algorithm by) {
        return byFormula(link, by).stream()
                .map(it -> new MeasuredAllReduce(by, it.processes(), it.numbers(), it.seconds()))
                .toList();
    }

    private Topology.Algorithm algorithm() {
        return algorithm(configuration());
    }

    /** The all-reduce algorithm of a run with hybrid parallelism; ring by default. */
    public static Topology.Algorithm algorithm(RunConfiguration configuration) {
        return configuration.topology() instanceof Topology.AllReduce(var algorithm, var _)
                ? algorithm
                : Topology.Algorithm.RING;
    }

    private RunConfiguration configuration() {
        return allocator.configuration();
    }
}
