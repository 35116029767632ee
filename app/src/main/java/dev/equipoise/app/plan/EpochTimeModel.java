package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.performance.cost.CodecSpeed;
import dev.equipoise.performance.cost.FrameSize;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.performance.cost.RingSampling;
import dev.equipoise.performance.partition.EpochWork;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.performance.simulation.Noise;
import dev.equipoise.performance.simulation.Scenario;
import dev.equipoise.performance.simulation.Simulator;
import dev.equipoise.performance.simulation.Timing;
import dev.equipoise.performance.simulation.Traffic;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/*
 * docs/algorithms.md, section 9.2. The discrete-event simulator plays some rounds of an epoch, and
 * the result is scaled to the whole epoch. A run that synchronizes every p rounds is simulated as
 * one that synchronizes in each round and computes p times as long: the sum of p log-normal times
 * with the coefficient of variation v has the mean and variance of one log-normal time with
 * v / sqrt(p).
 */
/**
 * Predicts the seconds of an epoch from step time models, shares, links and method. Pure; takes
 * some milliseconds.
 *
 * @param shares samples an epoch, by rank
 * @param stepTimes of the replicas in rank order, without the slowdowns of the definition
 * @param links between the ranks, without the limits of the definition
 */
record EpochTimeModel(
        RunConfiguration configuration,
        List<Integer> shares,
        List<StepTimeModel> stepTimes,
        LinkCosts links) {

    private static final int MAX_ROUNDS = 200;
    private static final int MIN_ROUNDS = 4;

    /** Limit of simulated steps, which take some milliseconds. */
    private static final double MAX_STEPS = 500_000;

    private static final long SEED = 1;

    /** Seconds to add a byte to another in memory, about 10 GB/s; a virtual clock counts none. */
    private static final double GAMMA = 0.1e-9;

    /** Epochs after which dynamic load balancing has converged. */
    private static final int SETTLED = 3;

    /** Least fraction of a calibrated all-reduce that counts as link time, not as encoding. */
    private static final double MIN_LINK_FRACTION = 0.05;

    EpochTimeModel {
        shares = List.copyOf(shares);
        stepTimes = List.copyOf(stepTimes);
        if (shares.size() != configuration.ranks()
                || stepTimes.size() != configuration.workers().replicas()) {
            throw new IllegalArgumentException(
                    "got %d shares for %d ranks and %d speeds for %d replicas"
                            .formatted(
                                    shares.size(),
                                    configuration.ranks(),
                                    stepTimes.size(),
                                    configuration.workers().replicas()));
        }
    }

    /** Simulates an epoch. */
    EpochTimeEstimate estimate() {
        List<Integer> settled = settledShares();
        double period = period();
        double exchanges = configuration.rounds() / period;
        int simulated = (int) Math.ceil(Math.min(maxRounds(), Math.max(1, exchanges)));
        Timing timing =
                Simulator.run(
                        scenario(
                                simulated,
                                computeSeconds(settled).stream().map(it -> it * period).toList(),
                                links.limited(configuration.heterogeneity().links())),
                        SEED);
        return scaled(timing, exchanges / simulated, settled);
    }

    /**
     * Scales the links to an all-reduce that was timed before training. Returns this model if the
     * method has no such all-reduce, or its frames have no predictable length.
     *
     * @param sumSeconds seconds of the all-reduce; 0 for none
     */
    EpochTimeModel calibrated(double sumSeconds) {
        if (!(sumSeconds > 0) || !isCalibratable()) {
            return this;
        }
        double exchange = exchangeSeconds();
        double coding = codecSeconds();
        double ofLinks = Math.max(sumSeconds - coding, MIN_LINK_FRACTION * sumSeconds);
        return exchange > coding
                ? new EpochTimeModel(
                        configuration,
                        shares,
                        stepTimes,
                        links.calibrated(ofLinks / (exchange - coding)))
                : this;
    }

    private boolean isCalibratable() {
        return configuration.topology() instanceof Topology.AllReduce
                && configuration.execution() instanceof Execution.Real
                && !frame().isGuessed()
                && replicas() != 1;
    }

    /** Seconds of one exchange alone, without the time of additions. */
    private double exchangeSeconds() {
        return Simulator.run(exchange(), SEED).seconds();
    }

    private Scenario exchange() {
        Method summing =
                new Method(
                        new Synchronization.Bsp(),
                        configuration.topology(),
                        configuration.compression());
        return new Scenario(
                summing,
                1,
                Collections.nCopies(replicas(), 0.0),
                Collections.nCopies(replicas(), 1),
                Noise.NONE,
                links.limited(configuration.heterogeneity().links()),
                traffic(0, 0));
    }

    private int replicas() {
        return configuration.workers().replicas();
    }

    private int servers() {
        return configuration.topology().servers();
    }

    /** Rounds from one exchange to the next. */
    private int period() {
        return switch (configuration.synchronization()) {
            case Synchronization.LocalSgd local -> local.period();
            case Synchronization.DiLoCo outer -> outer.period();
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    1;
        };
    }

    private int maxRounds() {
        double ranks = configuration.ranks();
        double steps =
                switch (configuration.topology()) {
                    case Topology.AllReduce _ -> 2 * ranks * ranks;
                    case Topology.ParameterServer server -> 16.0 * server.servers() * ranks;
                    case Topology.Gossip gossip ->
                            gossip.globalAverageEvery() > 0 ? 2 * ranks * ranks : 16 * ranks;
                };
        double exchanges = Math.max(1, buckets().size());
        return (int) Math.clamp(MAX_STEPS / steps / exchanges, MIN_ROUNDS, MAX_ROUNDS);
    }

    private Scenario scenario(int rounds, List<Double> computeSeconds, LinkCosts limited) {
        return new Scenario(
                        simulated(),
                        rounds,
                        computeSeconds,
                        IntStream.range(servers(), configuration.ranks())
                                .mapToObj(configuration::count)
                                .toList(),
                        Noise.of(jitter()),
                        limited,
                        traffic(averagedMemories(), addSecondsPerByte()))
                .in(buckets());
    }

    /** The buckets of the gradient; none if it travels as a whole. */
    private List<GradientBucket> buckets() {
        return configuration.synchronization() instanceof Synchronization.Bsp bsp
                ? GradientBucket.of(bsp, configuration.architecture())
                : List.of();
    }

    /** A calibrated all-reduce includes its additions. */
    private double addSecondsPerByte() {
        return configuration.execution() instanceof Execution.Real
                        && links.basis() != LinkCosts.Basis.CALIBRATED
                ? GAMMA
                : 0;
    }

    /** The method with a synchronization in each simulated round. */
    private Method simulated() {
        Synchronization synchronization =
                switch (configuration.synchronization()) {
                    case Synchronization.LocalSgd _, Synchronization.DiLoCo _ ->
                            new Synchronization.Bsp();
                    case Synchronization.Bsp it -> it;
                    case Synchronization.Async it -> it;
                    case Synchronization.StaleSynchronous it -> it;
                    case Synchronization.AdPsgd it -> it;
                };
        return new Method(synchronization, configuration.topology(), configuration.compression());
    }

    /** The jitter of a simulated round, which stands for {@code period} rounds. */
    private double jitter() {
        double variance =
                stepTimes.stream().mapToDouble(it -> Math.expm1(it.jitter() * it.jitter())).sum()
                        / stepTimes.size();
        return Math.sqrt(Math.log1p(variance / period()));
    }

    /** Computing time of a round, by replica. */
    private List<Double> computeSeconds(List<Integer> settled) {
        return IntStream.range(servers(), configuration.ranks())
                .mapToObj(rank -> {
                    int count = configuration.count(rank);
                    double batch = (double) settled.get(rank) / configuration.rounds() / count;
                    return count * speed(rank).seconds(batch);
                })
                .toList();
    }

    /** The speed function of a rank with its slowdown, if that applies to most epochs. */
    private SpeedFunction speed(int rank) {
        int epochs = configuration.training().epochs();
        int slowed = epochs + 1 - configuration.heterogeneity().slowDownFrom();
        SpeedFunction full = stepTimes.get(rank - servers()).speed();
        return 2 * slowed > epochs ? full.slowedBy(configuration.slowDown(rank)) : full;
    }

    /** The shares in the middle of the run; those of dynamic load balancing have converged. */
    private List<Integer> settledShares() {
        if (!(configuration.partitioning() instanceof Partitioning.Dynamic)
                || configuration.training().epochs() < SETTLED) {
            return shares;
        }
        List<Integer> balanced =
                Partitioner.functional(
                        EpochWork.of(
                                configuration.dataset().limit(),
                                configuration.rounds(),
                                replicas()),
                        IntStream.range(servers(), configuration.ranks())
                                .mapToObj(this::speed)
                                .toList(),
                        Partitioning.Solver.GEOMETRIC,
                        Partitioning.ShareRounding.LARGEST_REMAINDER);
        return IntStream.range(0, configuration.ranks())
                .mapToObj(rank -> rank < servers() ? 0 : balanced.get(rank - servers()))
                .toList();
    }

    private long vectorBytes() {
        return (long) Float.BYTES * configuration.architecture().parameterCount();
    }

    FrameSize frame() {
        return FrameSize.of(sentCompression(), configuration.architecture(), samplesOfFrame());
    }

    /** The codec with the sampling rates that follow the links of a ring. */
    private Compression sentCompression() {
        if (!configuration.compression().followsLinks()) {
            return configuration.compression();
        }
        LinkCosts limited = links.limited(configuration.heterogeneity().links());
        return RingSampling.resolved(
                        configuration.method(),
                        configuration.ranks(),
                        (rank, peer) ->
                                limited.secondsPerByte(rank, peer)
                                        + limited.heldSecondsPerByte(rank, peer))
                .compression();
    }

    /** Samples whose words a frame contains; those of all replicas over an all-reduce. */
    private double samplesOfFrame() {
        double ofReplica =
                (double) configuration.dataset().limit() / configuration.rounds() / replicas();
        return period()
                * ofReplica
                * (configuration.topology() instanceof Topology.AllReduce ? replicas() : 1);
    }

    private Traffic traffic(int memories, double gamma) {
        long plain = vectorBytes();
        return new Traffic(
                (1L + memories) * plain,
                frame().bytes() + (double) memories * plain,
                answer().bytes() + (double) memories * plain,
                codecSeconds(),
                gamma);
    }

    /** The frame of a server: its sum in a codec of its own, or the plain weights. */
    private FrameSize answer() {
        return switch (configuration.synchronization()) {
            case Synchronization.Async _, Synchronization.StaleSynchronous _ ->
                    new FrameSize(vectorBytes(), false);
            case Synchronization.Bsp _,
                    Synchronization.LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.AdPsgd _ ->
                    FrameSize.ofSum(
                            configuration.compression(),
                            configuration.architecture(),
                            samplesOfFrame(),
                            replicas());
        };
    }

    /** Whether the length of frames depends on their content. */
    boolean isTrafficGuessed() {
        return frame().isGuessed() || (servers() > 0 && answer().isGuessed());
    }

    /** Number of vectors of optimizer state that are averaged together with the weights. */
    private int averagedMemories() {
        if (!(configuration.synchronization() instanceof Synchronization.LocalSgd local)
                || local.momentum() != Synchronization.Momentum.AVERAGE) {
            return 0;
        }
        return switch (configuration.training().optimizer()) {
            case OptimizerSpec.Sgd sgd -> sgd.momentum() > 0 ? 1 : 0;
            case OptimizerSpec.Adam _, OptimizerSpec.AdamW _ -> 2;
        };
    }

    /** Seconds to encode and decode a vector; 0 on a virtual clock. */
    private double codecSeconds() {
        Compression compression = configuration.compression();
        if (!(configuration.execution() instanceof Execution.Real)) {
            return 0;
        }
        boolean isGathered =
                !compression.isLinear() && configuration.topology() instanceof Topology.AllReduce;
        return CodecSpeed.of(compression).seconds(vectorBytes(), isGathered ? replicas() : 1);
    }

    private EpochTimeEstimate scaled(Timing timing, double factor, List<Integer> settled) {
        double computing =
                timing.replicas().stream()
                        .mapToDouble(Timing.ReplicaTime::computing)
                        .max()
                        .orElseThrow();
        return new EpochTimeEstimate(
                timing.seconds() * factor,
                factor * computing,
                timing.bytes() * factor,
                settled,
                scaledRanks(timing, factor));
    }

    private List<RankSeconds> scaledRanks(Timing timing, double factor) {
        double epoch = timing.seconds() * factor;
        double busy = timing.serverUtilization() * epoch;
        return IntStream.range(0, configuration.ranks())
                .mapToObj(rank ->
                        rank < servers()
                                ? new RankSeconds(0, busy, epoch - busy)
                                : rank(timing.replicas().get(rank - servers()), factor))
                .toList();
    }

    private static RankSeconds rank(Timing.ReplicaTime time, double factor) {
        return new RankSeconds(time.computing(), time.transferring(), time.waiting()).times(factor);
    }
}
