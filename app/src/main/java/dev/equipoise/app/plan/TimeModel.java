package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.RankSeconds;
import dev.equipoise.performance.cost.CodecSpeed;
import dev.equipoise.performance.cost.FrameSize;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.performance.partition.Work;
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
 * ALGORITHMS.md section 9: what an epoch takes is found by playing some of its rounds in the
 * discrete-event simulator. A run that agrees every p rounds is played as one that agrees in every
 * round, each of which computes for p: the sum of p log-normal times of a coefficient of variation v
 * has the mean and the variance of one log-normal time with v / sqrt(p). Epochs of which too many
 * rounds would have to be played are stretched from those that were.
 */
/**
 * How long an epoch of a run takes: pure, in milliseconds.
 *
 * @param shares samples an epoch, by rank
 * @param paces of the replicas, in the order of their ranks, none of them slowed by the definition
 * @param links between the ranks, not yet held back
 */
record TimeModel(
        RunConfiguration configuration, List<Integer> shares, List<Pace> paces, LinkCosts links) {

    private static final int MOST_ROUNDS = 200;
    private static final int LEAST_ROUNDS = 4;

    /** Steps of the simulation, which then takes some milliseconds. */
    private static final double MOST_STEPS = 500_000;

    private static final long SEED = 1;

    /** Seconds to add a byte to another in memory, about 10 GB/s; a virtual clock counts none. */
    private static final double GAMMA = 0.1e-9;

    /** Epochs after which shares that follow the speeds have found them. */
    private static final int SETTLED = 3;

    /**
     * At least so much of a rehearsed sum is taken to be links, whatever coding is thought to be.
     */
    private static final double LEAST_LINKS = 0.05;

    TimeModel {
        shares = List.copyOf(shares);
        paces = List.copyOf(paces);
        if (shares.size() != configuration.ranks()
                || paces.size() != configuration.workers().replicas()) {
            throw new IllegalArgumentException(
                    "%d ranks with %d replicas have %d shares and %d speeds"
                            .formatted(
                                    configuration.ranks(),
                                    configuration.workers().replicas(),
                                    shares.size(),
                                    paces.size()));
        }
    }

    /** Plays an epoch. */
    Estimate estimate() {
        List<Integer> settled = settledShares();
        double period = period();
        double exchanges = configuration.rounds() / period;
        int played = (int) Math.ceil(Math.min(mostRounds(), Math.max(1, exchanges)));
        Timing timing =
                Simulator.run(
                        scenario(
                                played,
                                computeSeconds(settled).stream().map(it -> it * period).toList(),
                                links.limited(configuration.heterogeneity().links())),
                        SEED);
        return scaled(timing, exchanges / played, settled);
    }

    /**
     * The same with links that are as dear as a sum over all ranks has told that was timed before
     * the run began; where that tells nothing, as it is.
     *
     * @param sumSeconds 0 for none
     */
    TimeModel rehearsed(double sumSeconds) {
        if (!(sumSeconds > 0)
                || !(configuration.topology() instanceof Topology.AllReduce)
                || !(configuration.execution() instanceof Execution.Real)
                || frame().isGuessed()
                || replicas() == 1) {
            return this;
        }
        double exchange = exchangeSeconds();
        double coding = codecSeconds();
        double ofLinks = Math.max(sumSeconds - coding, LEAST_LINKS * sumSeconds);
        return exchange > coding
                ? new TimeModel(
                        configuration,
                        shares,
                        paces,
                        links.rehearsed(ofLinks / (exchange - coding)))
                : this;
    }

    /** One exchange by itself, of vectors whose additions cost nothing. */
    private double exchangeSeconds() {
        Method summing =
                new Method(
                        new Synchronization.Bsp(),
                        configuration.topology(),
                        configuration.compression());
        return Simulator.run(
                        new Scenario(
                                summing,
                                1,
                                Collections.nCopies(replicas(), 0.0),
                                Collections.nCopies(replicas(), 1),
                                Noise.NONE,
                                links.limited(configuration.heterogeneity().links()),
                                traffic(0, 0)),
                        SEED)
                .seconds();
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

    private int mostRounds() {
        double ranks = configuration.ranks();
        double steps =
                switch (configuration.topology()) {
                    case Topology.AllReduce _ -> 2 * ranks * ranks;
                    case Topology.ParameterServer server -> 16.0 * server.servers() * ranks;
                    case Topology.Gossip gossip ->
                            gossip.globalAverageEvery() > 0 ? 2 * ranks * ranks : 16 * ranks;
                };
        return (int) Math.clamp(MOST_STEPS / steps, LEAST_ROUNDS, MOST_ROUNDS);
    }

    private Scenario scenario(int rounds, List<Double> computeSeconds, LinkCosts limited) {
        return new Scenario(
                played(),
                rounds,
                computeSeconds,
                IntStream.range(servers(), configuration.ranks())
                        .mapToObj(configuration::count)
                        .toList(),
                Noise.of(jitter()),
                limited,
                traffic(averagedMemories(), addSecondsPerByte()));
    }

    /** What was rehearsed has the additions in it. */
    private double addSecondsPerByte() {
        return configuration.execution() instanceof Execution.Real
                        && links.basis() != LinkCosts.Basis.REHEARSED
                ? GAMMA
                : 0;
    }

    /** As if replicas agreed in every round that is played. */
    private Method played() {
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

    /** Of as many rounds as are played as one. */
    private double jitter() {
        double variance =
                paces.stream().mapToDouble(it -> Math.expm1(it.jitter() * it.jitter())).sum()
                        / paces.size();
        return Math.sqrt(Math.log1p(variance / period()));
    }

    /** Of a round, by replica. */
    private List<Double> computeSeconds(List<Integer> settled) {
        return IntStream.range(servers(), configuration.ranks())
                .mapToObj(rank -> {
                    int count = configuration.count(rank);
                    double batch = (double) settled.get(rank) / configuration.rounds() / count;
                    return count * speed(rank).seconds(batch);
                })
                .toList();
    }

    /** As slow as a rank is made in most of the epochs. */
    private SpeedFunction speed(int rank) {
        int epochs = configuration.training().epochs();
        int slowed = epochs + 1 - configuration.heterogeneity().slowDownFrom();
        SpeedFunction full = paces.get(rank - servers()).speed();
        return 2 * slowed > epochs ? full.slowedBy(configuration.slowDown(rank)) : full;
    }

    /** Shares that follow the speeds have found them by the middle of the run. */
    private List<Integer> settledShares() {
        if (!(configuration.partitioning() instanceof Partitioning.Dynamic)
                || configuration.training().epochs() < SETTLED) {
            return shares;
        }
        List<Integer> balanced =
                Partitioner.functional(
                        Work.of(
                                configuration.dataset().limit(),
                                configuration.rounds(),
                                replicas()),
                        IntStream.range(servers(), configuration.ranks())
                                .mapToObj(this::speed)
                                .toList(),
                        Partitioning.Solver.GEOMETRIC,
                        Partitioning.Rounding.LARGEST_REMAINDER);
        return IntStream.range(0, configuration.ranks())
                .mapToObj(rank -> rank < servers() ? 0 : balanced.get(rank - servers()))
                .toList();
    }

    private long vectorBytes() {
        return (long) Float.BYTES * configuration.architecture().parameterCount();
    }

    FrameSize frame() {
        return FrameSize.of(
                configuration.compression(), configuration.architecture(), samplesOfFrame());
    }

    /** Whose words are in a frame; over an all-reduce those of all. */
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

    /** Servers that sum answer in a codec of their own; those that step, with their weights. */
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

    /** Whether how long frames are depends on what is in them. */
    boolean isTrafficGuessed() {
        return frame().isGuessed() || (servers() > 0 && answer().isGuessed());
    }

    /** Vectors that an optimizer remembers and that are averaged as the weights are. */
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

    /** No virtual clock counts them. */
    private double codecSeconds() {
        Compression compression = configuration.compression();
        if (!(configuration.execution() instanceof Execution.Real)) {
            return 0;
        }
        boolean isGathered =
                !compression.isLinear() && configuration.topology() instanceof Topology.AllReduce;
        return CodecSpeed.of(compression).seconds(vectorBytes(), isGathered ? replicas() : 1);
    }

    private Estimate scaled(Timing timing, double factor, List<Integer> settled) {
        double epoch = timing.seconds() * factor;
        double busy = timing.serverUtilisation() * epoch;
        return new Estimate(
                epoch,
                factor
                        * timing.replicas().stream()
                                .mapToDouble(Timing.ReplicaTime::computing)
                                .max()
                                .orElseThrow(),
                timing.bytes() * factor,
                settled,
                IntStream.range(0, configuration.ranks())
                        .mapToObj(rank ->
                                rank < servers()
                                        ? new RankSeconds(0, busy, epoch - busy)
                                        : rank(timing.replicas().get(rank - servers()), factor))
                        .toList());
    }

    private static RankSeconds rank(Timing.ReplicaTime time, double factor) {
        return new RankSeconds(time.computing(), time.transferring(), time.waiting()).times(factor);
    }
}
