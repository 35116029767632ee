package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.RankSeconds;
import dev.equipoise.app.run.Seat;
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
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who gets which hidden units and how much of an epoch, where a definition shares both: pure.
 *
 * @param seating knows the workers and how fast the ranks are
 * @param wanted of the seating's configuration
 * @param measured sums over the run's workers, where it has several; of a virtual run none
 */
public record HybridSeating(
        Seating seating, Partitioning.Hybrid wanted, List<MeasuredAllReduce> measured) {

    public HybridSeating {
        measured = List.copyOf(measured);
    }

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double MICROSECONDS = 1e6;

    /** Who of all ways to form groups is taken. */
    public Hybrid hybrid() {
        List<HybridShares> all = formations();
        HybridShares chosen =
                all.stream()
                        .filter(this::isWanted)
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "no groups can be formed as " + wanted + " wants"));
        return new Hybrid(
                new Grouping(
                        chosen.formation().groups().stream()
                                .map(group -> group.stream().map(Formation.Member::rank).toList())
                                .toList(),
                        chosen.units()),
                Partitioner.inProportion(configuration().dataset().limit(), chosen.samples()),
                all.stream()
                        .sorted(Comparator.comparingInt(it -> it.formation().dataParallel()))
                        .map(it ->
                                new Hybrid.Formation(
                                        it.formation().nodeParallel(),
                                        it.formation().dataParallel(),
                                        it.seconds(),
                                        it.sumSeconds(),
                                        it.equals(chosen)))
                        .toList(),
                chosen.parts().stream()
                        .map(part ->
                                new RankSeconds(
                                        part.computeSeconds(),
                                        part.sumSeconds(),
                                        Math.max(
                                                0,
                                                chosen.seconds()
                                                        - part.computeSeconds()
                                                        - part.sumSeconds())))
                        .toList(),
                bytes(chosen));
    }

    /** Of a round: outputs over the members of each group, gradients over the groups. */
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

    /** The samples of a group stand with its first rank. */
    public List<Seat> seats(Hybrid hybrid) {
        Grouping grouping = hybrid.grouping();
        List<Integer> rooms = Seating.rooms(configuration(), seating.chosen());
        return IntStream.range(0, configuration().ranks())
                .mapToObj(rank ->
                        new Seat(
                                seating.worker(rank).id(),
                                seating.worker(rank).name(),
                                grouping.positionOf(rank) == 0
                                        ? hybrid.samples().get(grouping.groupOf(rank))
                                        : 0,
                                rooms.get(rank),
                                null))
                .toList();
    }

    private boolean isWanted(HybridShares shares) {
        Integer nodeParallel = wanted.nodeParallel();
        return nodeParallel == null || shares.formation().nodeParallel() == nodeParallel;
    }

    /** The fastest first, which is capability 1. */
    private List<HybridShares> formations() {
        Perceptron perceptron = Perceptron.of(configuration().architecture()).orElseThrow();
        List<Double> seconds =
                IntStream.range(0, configuration().ranks())
                        .mapToObj(this::secondsPerSample)
                        .toList();
        double least = seconds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        return HybridShares.ofAllFormations(
                perceptron,
                configuration().samplesOfRound(),
                Costs.of(perceptron, least),
                allReduces(),
                seconds.stream().map(each -> least / each).toList(),
                wanted.shares());
    }

    /** Of the whole network, in a mini-batch as large as the definition has it on the mean. */
    private double secondsPerSample(int rank) {
        SpeedFunction speed = seating.speed(rank).orElseThrow();
        int samples = configuration().training().batchSize();
        return speed.seconds(samples) / samples;
    }

    private AllReduceModel allReduces() {
        List<AllReduceModel.Timed> timed =
                configuration().execution() instanceof Execution.Virtual virtual
                        ? told(virtual.link(), algorithm())
                        : measured.stream()
                                .map(it ->
                                        new AllReduceModel.Timed(
                                                it.ranks(), it.numbers(), it.seconds()))
                                .toList();
        return AllReduceModel.calibrated(timed);
    }

    private static List<AllReduceModel.Timed> told(Execution.Link link, Topology.Algorithm by) {
        return byFormula(
                new LinkCosts.Cost(
                        link.latencyMicroseconds() / MICROSECONDS,
                        1 / (link.megabytesPerSecond() * BYTES_PER_MEGABYTE)),
                by);
    }

    /** What the formulas say of links that are all alike. */
    private static List<AllReduceModel.Timed> byFormula(
            LinkCosts.Cost link, Topology.Algorithm by) {
        var costs = new CostModel(link.latency(), link.secondsPerByte(), 0);
        return AllReduceModel.timed(
                (ranks, numbers) -> costs.seconds(by, ranks, (long) numbers * Float.BYTES));
    }

    /** Sums as they should be over links that are all alike, where none was measured. */
    static List<MeasuredAllReduce> expected(LinkCosts.Cost link, Topology.Algorithm by) {
        return byFormula(link, by).stream()
                .map(it -> new MeasuredAllReduce(by, it.processes(), it.numbers(), it.seconds()))
                .toList();
    }

    private Topology.Algorithm algorithm() {
        return algorithm(configuration());
    }

    /** Of a run whose ranks share hidden units, which sum over all-reduces alone. */
    static Topology.Algorithm algorithm(RunConfiguration configuration) {
        return configuration.topology() instanceof Topology.AllReduce(var algorithm, var _)
                ? algorithm
                : Topology.Algorithm.RING;
    }

    private RunConfiguration configuration() {
        return seating.configuration();
    }
}
