package dev.equipoise.performance.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.simulation.Noise.Failures;
import dev.equipoise.performance.simulation.Noise.SlowDowns;
import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 10 rounds of 0.1 s, 4 MB to exchange over links of 50 microseconds and 1 GB/s. */
class SimulatorTest {

    private static final int ROUNDS = 10;
    private static final double COMPUTE = 0.1;
    private static final long BYTES = 4_000_000;
    private static final double ALPHA = 50e-6;
    private static final double BETA = 1e-9;
    private static final Synchronization BSP = new Synchronization.Bsp();

    private static Method method(Synchronization synchronization, Topology topology) {
        return new Method(synchronization, topology, new Compression.None());
    }

    private static Method bsp(Algorithm algorithm) {
        return method(BSP, Topology.AllReduce.by(algorithm));
    }

    private static final Method GOSSIP =
            method(
                    BSP,
                    new Topology.Gossip(
                            new Topology.Partners.Fixed(1),
                            Topology.Payload.GRADIENT,
                            Topology.Mixing.UNIFORM,
                            0));

    private static Scenario scenario(Method method, List<Double> computeSeconds, Noise noise) {
        return new Scenario(
                method,
                ROUNDS,
                computeSeconds,
                Collections.nCopies(computeSeconds.size(), 1),
                noise,
                Links.uniform(ALPHA, BETA),
                Traffic.of(BYTES));
    }

    private static Timing run(Method method, Double... computeSeconds) {
        return Simulator.run(scenario(method, List.of(computeSeconds), Noise.NONE), 1);
    }

    private static Timing run(Method method, int replicas) {
        return Simulator.run(
                scenario(method, Collections.nCopies(replicas, COMPUTE), Noise.NONE), 1);
    }

    @ParameterizedTest
    @EnumSource
    void withoutNoiseAnAllReduceTakesWhatTheClosedFormSays(Algorithm algorithm) {
        for (int replicas : List.of(1, 2, 3, 4, 8, 13)) {
            double exchange = new CostModel(ALPHA, BETA, 0).seconds(algorithm, replicas, BYTES);

            assertThat(run(bsp(algorithm), replicas).seconds())
                    .as("%d replicas", replicas)
                    .isEqualTo(ROUNDS * (COMPUTE + exchange), within(1e-9));
        }
    }

    /** The step of the slowest link goes round to all. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 64, 512})
    void aRingOfWhichEveryStepIsPlayedIsLikeOneInWhichAllGoTogether(int replicas) {
        Scenario scenario =
                scenario(bsp(Algorithm.RING), Collections.nCopies(replicas, COMPUTE), Noise.NONE);
        double[] exact = IntStream.range(0, replicas).mapToDouble(i -> 0.001 * (i % 7)).toArray();
        double[] together = exact.clone();

        Ring.summing(scenario).play(exact, new double[replicas]);
        Together.summing(scenario, Algorithm.RING).play(together, new double[replicas]);

        assertThat(exact).containsExactly(together, within(1e-9));
    }

    @Test
    void theSlowestIsWaitedFor() {
        Timing timing = run(bsp(Algorithm.RING), 0.1, 0.3);
        double exchange = new CostModel(ALPHA, BETA, 0).seconds(Algorithm.RING, 2, BYTES);

        ReplicaTime fast = timing.replicas().getFirst();
        ReplicaTime slow = timing.replicas().getLast();
        assertThat(fast.computing()).isEqualTo(1, within(1e-9));
        assertThat(fast.waiting()).isEqualTo(2, within(1e-9));
        assertThat(slow.waiting()).isZero();
        assertThat(fast.transferring()).isEqualTo(ROUNDS * exchange, within(1e-9));
        assertThat(slow.transferring()).isEqualTo(ROUNDS * exchange, within(1e-9));
    }

    @Test
    void whoSeldomAgreesExchangesSeldom() {
        Timing often = run(bsp(Algorithm.RING), 4);
        Timing seldom =
                run(
                        method(
                                new Synchronization.LocalSgd(
                                        5,
                                        Synchronization.Order.STEP_THEN_AVERAGE,
                                        Synchronization.Momentum.LOCAL),
                                Topology.AllReduce.by(Algorithm.RING)),
                        4);

        assertThat(seldom.bytes()).isEqualTo(often.bytes() / 5);
        assertThat(seldom.seconds() - ROUNDS * COMPUTE)
                .isEqualTo((often.seconds() - ROUNDS * COMPUTE) / 5, within(1e-9));
    }

    /** 2 n K / Bw, as all have to go through its wires (Li and others 2018, equation 2). */
    @Test
    void aServerHasTheBytesOfAllOnItsWires() {
        var served = method(BSP, new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

        Timing one =
                Simulator.run(
                        new Scenario(
                                served,
                                1,
                                Collections.nCopies(8, COMPUTE),
                                Collections.nCopies(8, 1),
                                Noise.NONE,
                                Links.uniform(ALPHA, BETA),
                                Traffic.of(BYTES)),
                        1);
        Timing ten = run(served, 8);

        double exchange = 2 * ALPHA + (8 + 8) * BETA * BYTES;
        assertThat(one.seconds()).isEqualTo(COMPUTE + exchange, within(1e-9));
        assertThat(one.bytes()).isEqualTo(2.0 * 8 * BYTES);
        // Who is answered first is first again, so that later rounds push while others still pull.
        assertThat(ten.seconds()).isBetween(10 * COMPUTE + 5 * exchange, 10 * one.seconds());
        assertThat(ten.serverUtilisation()).isBetween(0.1, 0.5);
    }

    @Test
    void moreServersShareTheLoad() {
        var one = method(BSP, new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
        var four = method(BSP, new Topology.ParameterServer(4, false, Topology.Aggregate.MEAN));

        assertThat(run(four, 8).seconds() - ROUNDS * COMPUTE)
                .isLessThan((run(one, 8).seconds() - ROUNDS * COMPUTE) / 3);
    }

    /** Two frames out and two in: 2 beta m, and the latency once. */
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 100})
    void gossipTakesAsLongHoweverManyThereAre(int replicas) {
        assertThat(run(GOSSIP, replicas).seconds())
                .isEqualTo(ROUNDS * (COMPUTE + ALPHA + 2 * BETA * BYTES), within(1e-9));
    }

    @Test
    void whoGossipsWaitsForItsNeighboursAlone() {
        Double[] compute = Collections.nCopies(40, COMPUTE).toArray(Double[]::new);
        compute[0] = 3 * COMPUTE;

        Timing timing = run(GOSSIP, compute);

        assertThat(timing.replicas().get(1).waiting()).isGreaterThan(1);
        assertThat(timing.replicas().get(20).waiting()).isZero();
    }

    @Test
    void atAServerThatTakesAllAsTheyComeNobodyWaits() {
        Topology server = new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN);
        var async =
                method(
                        new Synchronization.Async(
                                null,
                                Synchronization.Weighting.WEIGHTED,
                                new StalenessCorrection.None()),
                        server);

        Timing timing = run(async, 0.1, 0.3);

        assertThat(timing.replicas()).allSatisfy(it -> assertThat(it.waiting()).isZero());
        assertThat(timing.replicas().getFirst().transferring())
                .isLessThan(ROUNDS * 4.1 * BETA * BYTES);
        assertThat(timing.staleness()).containsKey(3);
        assertThat(timing.seconds())
                .isLessThan(run(method(BSP, server), 0.1, 0.3).seconds() + 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "2, true"})
    void staleSynchronousReplicasKeepTheirBound(int bound, boolean barrier) {
        var stale =
                method(
                        new Synchronization.StaleSynchronous(
                                bound, barrier, new StalenessCorrection.None()),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

        Timing timing = run(stale, 0.1, 0.5);

        int most = barrier ? 2 * bound - 1 : 2 * bound + 1;
        assertThat(timing.staleness().lastKey()).isLessThanOrEqualTo(most);
        assertThat(timing.replicas().getFirst().waiting()).isGreaterThan(1);
    }

    /** Links so slow that a sum takes 2.4 rounds; the fast one goes on meanwhile. */
    @Test
    void anAllReduceInTheBackgroundIsHidden() {
        var hidden =
                method(
                        new Synchronization.Async(
                                4,
                                Synchronization.Weighting.WEIGHTED,
                                new StalenessCorrection.None()),
                        Topology.AllReduce.by(Algorithm.RING));
        var slow =
                new Scenario(
                        hidden,
                        100,
                        List.of(COMPUTE, COMPUTE),
                        List.of(1, 1),
                        Noise.NONE,
                        Links.uniform(0, 0.24 / BYTES),
                        Traffic.of(BYTES));

        Timing timing = Simulator.run(slow, 1);

        assertThat(timing.seconds()).isBetween(100 * COMPUTE, 103 * COMPUTE);
        assertThat(timing.staleness().lastKey()).isEqualTo(3);
    }

    @Test
    void jitterKeepsTheMeanOfARoundAndMakesAllWaitForTheUnlucky() {
        Scenario noisy =
                scenario(bsp(Algorithm.RING), Collections.nCopies(64, COMPUTE), Noise.of(0.2));

        Timing timing = Simulator.run(noisy, 7);

        double computing =
                timing.replicas().stream()
                        .mapToDouble(ReplicaTime::computing)
                        .average()
                        .orElseThrow();
        assertThat(computing).isEqualTo(ROUNDS * COMPUTE, within(0.02));
        assertThat(timing.seconds()).isGreaterThan(1.4 * ROUNDS * COMPUTE);
    }

    @Test
    void theSameSeedTakesTheSameTime() {
        Scenario noisy =
                scenario(
                        bsp(Algorithm.RING),
                        Collections.nCopies(8, COMPUTE),
                        new Noise(0.2, new SlowDowns(0.1, 0.5, 3), new Failures(2, 1)));

        assertThat(Simulator.run(noisy, 3)).isEqualTo(Simulator.run(noisy, 3));
        assertThat(Simulator.run(noisy, 3)).isNotEqualTo(Simulator.run(noisy, 4));
    }

    @Test
    void slowDownsAndFailuresCost() {
        List<Double> compute = Collections.nCopies(8, COMPUTE);
        double steady = run(bsp(Algorithm.RING), 8).seconds();

        double slowed =
                Simulator.run(
                                scenario(
                                        bsp(Algorithm.RING),
                                        compute,
                                        new Noise(0, new SlowDowns(1, 1, 3), Failures.NONE)),
                                1)
                        .seconds();
        double failing =
                Simulator.run(
                                scenario(
                                        bsp(Algorithm.RING),
                                        compute,
                                        new Noise(0, SlowDowns.NONE, new Failures(1, 5))),
                                1)
                        .seconds();

        assertThat(slowed).isGreaterThan(steady + 0.9);
        assertThat(failing).isGreaterThan(steady + 5);
    }

    @Test
    void aMethodThatDoesNotGoOverItsTopologyIsRefused() {
        var stale =
                method(
                        new Synchronization.StaleSynchronous(
                                1, false, new StalenessCorrection.None()),
                        Topology.AllReduce.by(Algorithm.RING));

        assertThatThrownBy(() -> run(stale, 4)).hasMessageContaining("does not go over");
    }

    @Test
    void timesThatAreNoneAreRefused() {
        assertThatThrownBy(() -> run(bsp(Algorithm.RING), 0.1, -0.1))
                .hasMessage("a round cannot take -0.1 s of computing");
        assertThatThrownBy(() -> Links.uniform(-1, 0))
                .hasMessage("a link cannot cost -1.0 s and 0.0 s a byte");
    }

    /** P - 1 steps of whole frames, as these cannot be summed on the way. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 600})
    void framesThatCannotBeSummedGoRoundToAll(int replicas) {
        double frame = 30_000;
        var coded =
                new Method(
                        BSP,
                        Topology.AllReduce.by(Algorithm.RING),
                        new Compression.TopK(0.01, true));

        Timing timing =
                Simulator.run(
                        new Scenario(
                                coded,
                                1,
                                Collections.nCopies(replicas, COMPUTE),
                                Collections.nCopies(replicas, 1),
                                Noise.NONE,
                                Links.uniform(ALPHA, BETA),
                                new Traffic(BYTES, frame, BYTES, 0, 0)),
                        1);

        assertThat(timing.seconds())
                .isEqualTo(COMPUTE + (replicas - 1) * (ALPHA + BETA * frame), within(1e-9));
        assertThat(timing.bytes()).isEqualTo((replicas - 1.0) * replicas * frame);
    }

    /** Each replica's own link is slow, and not the wires of the server. */
    @Test
    void linksThatAreHeldBackDoNotHoldBackOneAnother() {
        double held = 20 * BETA;
        Links links =
                new Links() {
                    @Override
                    public double latency(int from, int to) {
                        return ALPHA;
                    }

                    @Override
                    public double secondsPerByte(int from, int to) {
                        return BETA;
                    }

                    @Override
                    public double heldSecondsPerByte(int from, int to) {
                        return held - BETA;
                    }
                };
        var served = method(BSP, new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

        Timing timing =
                Simulator.run(
                        new Scenario(
                                served,
                                1,
                                Collections.nCopies(4, COMPUTE),
                                Collections.nCopies(4, 1),
                                Noise.NONE,
                                links,
                                Traffic.of(BYTES)),
                        1);

        // All four come through their links at once, and then one by one through the server's port.
        double there = ALPHA + BYTES * (held + 3 * BETA);
        assertThat(timing.seconds()).isBetween(COMPUTE + there, COMPUTE + 2 * there + 1e-9);
    }

    /** While rank 1 computes, rank 0 takes the vectors of all others. */
    @Test
    void whoIsEarlyIsTakenBeforeTheLastIsReady() {
        double message = ALPHA + BETA * BYTES;

        Timing timing = run(bsp(Algorithm.FLAT), 0.1, 0.3, 0.1, 0.1);

        assertThat(timing.seconds()).isEqualTo(ROUNDS * (0.3 + 4 * message), within(1e-9));
        assertThat(timing.bytes()).isEqualTo(ROUNDS * 6.0 * BYTES);
    }
}
