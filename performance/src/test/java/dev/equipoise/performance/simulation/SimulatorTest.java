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

/** Simulates 10 rounds of 0.1 s with 4 MB to exchange over links of 50 us and 1 GB/s. */
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
    void allReduceWithoutNoiseMatchesTheClosedForm(Algorithm algorithm) {
        for (int replicas : List.of(1, 2, 3, 4, 8, 13)) {
            double exchange = new CostModel(ALPHA, BETA, 0).seconds(algorithm, replicas, BYTES);

            assertThat(run(bsp(algorithm), replicas).seconds())
                    .as("%d replicas", replicas)
                    .isEqualTo(ROUNDS * (COMPUTE + exchange), within(1e-9));
        }
    }

    /** The step of the slowest link determines those of all ranks. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 64, 512})
    void stepByStepRingMatchesTheSynchronousOne(int replicas) {
        Scenario scenario =
                scenario(bsp(Algorithm.RING), Collections.nCopies(replicas, COMPUTE), Noise.NONE);
        double[] exact = IntStream.range(0, replicas).mapToDouble(i -> 0.001 * (i % 7)).toArray();
        double[] closed = exact.clone();

        Ring.summing(scenario).play(exact, new double[replicas]);
        SynchronousAllReduce.summing(scenario, Algorithm.RING).play(closed, new double[replicas]);

        assertThat(exact).containsExactly(closed, within(1e-9));
    }

    @Test
    void replicasWaitForTheSlowest() {
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
    void localSgdExchangesOncePerPeriod() {
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

    /**
     * All frames go through the server's port: 2 n K / Bw (Li and others 2018, equation 2;
     * docs/algorithms.md, section 9.1).
     */
    @Test
    void serverTransfersTheFramesOfAllReplicas() {
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
        // The replica answered first pushes first again, while the server still answers others.
        assertThat(ten.seconds()).isBetween(10 * COMPUTE + 5 * exchange, 10 * one.seconds());
        assertThat(ten.serverUtilization()).isBetween(0.1, 0.5);
    }

    @Test
    void moreServersShareTheLoad() {
        var one = method(BSP, new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
        var four = method(BSP, new Topology.ParameterServer(4, false, Topology.Aggregate.MEAN));

        assertThat(run(four, 8).seconds() - ROUNDS * COMPUTE)
                .isLessThan((run(one, 8).seconds() - ROUNDS * COMPUTE) / 3);
    }

    /** Two frames out and two in take 2 beta m and one latency. */
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 100})
    void gossipTimeIsIndependentOfTheReplicas(int replicas) {
        assertThat(run(GOSSIP, replicas).seconds())
                .isEqualTo(ROUNDS * (COMPUTE + ALPHA + 2 * BETA * BYTES), within(1e-9));
    }

    @Test
    void gossipWaitsForNeighborsAlone() {
        Double[] compute = Collections.nCopies(40, COMPUTE).toArray(Double[]::new);
        compute[0] = 3 * COMPUTE;

        Timing timing = run(GOSSIP, compute);

        assertThat(timing.replicas().get(1).waiting()).isGreaterThan(1);
        assertThat(timing.replicas().get(20).waiting()).isZero();
    }

    @Test
    void asyncReplicasNeverWaitAtTheServer() {
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

    /** A sum takes 2.4 rounds on these links, and replicas compute meanwhile. */
    @Test
    void overlappedAllReduceHidesItsTransfer() {
        var overlapped =
                method(
                        new Synchronization.Async(
                                4,
                                Synchronization.Weighting.WEIGHTED,
                                new StalenessCorrection.None()),
                        Topology.AllReduce.by(Algorithm.RING));
        var slow =
                new Scenario(
                        overlapped,
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

    /**
     * Replicas take 1 and 3 s a round, and a sum takes 1 s from the moment at which both have
     * computed its round. With two sums in flight, they end at 4, 7 and 10 s: the fast replica
     * begins its rounds at 0, 1 and 4 s and waits for 2 and 5 s, the slow one at 0, 3 and 6 s.
     */
    @ParameterizedTest
    @CsvSource({"1, 12, 9, 3, 0=6", "2, 10, 7, 1, 0=2 1=4", "3, 10, 7, 1, 0=2 1=3 2=1"})
    void queuedSumsFollowTheComputedSchedule(
            int inFlight, double seconds, double fastWait, double slowWait, String staleness) {
        var async =
                new Synchronization.Async(
                        null,
                        Synchronization.Weighting.WEIGHTED,
                        new StalenessCorrection.None(),
                        inFlight,
                        Synchronization.OwnStep.AT_ONCE);
        var scenario =
                new Scenario(
                        method(async, Topology.AllReduce.by(Algorithm.RECURSIVE_DOUBLING)),
                        3,
                        List.of(1.0, 3.0),
                        List.of(1, 1),
                        Noise.NONE,
                        Links.uniform(0, 1.0 / BYTES),
                        Traffic.of(BYTES));

        Timing timing = Simulator.run(scenario, 1);

        assertThat(timing.seconds()).isCloseTo(seconds, within(1e-9));
        assertThat(timing.replicas().getFirst().waiting()).isCloseTo(fastWait, within(1e-9));
        assertThat(timing.replicas().getLast().waiting()).isCloseTo(slowWait, within(1e-9));
        assertThat(timing.staleness()).hasToString("{" + staleness.replace(" ", ", ") + "}");
    }

    @Test
    void jitterKeepsTheMeanComputingTimeAndCausesWaiting() {
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
    void sameSeedGivesTheSameTimes() {
        Scenario noisy =
                scenario(
                        bsp(Algorithm.RING),
                        Collections.nCopies(8, COMPUTE),
                        new Noise(0.2, new SlowDowns(0.1, 0.5, 3), new Failures(2, 1)));

        assertThat(Simulator.run(noisy, 3)).isEqualTo(Simulator.run(noisy, 3));
        assertThat(Simulator.run(noisy, 3)).isNotEqualTo(Simulator.run(noisy, 4));
    }

    @Test
    void slowdownsAndFailuresLengthenTheRun() {
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
    void rejectsASynchronizationThatCannotRunOverItsTopology() {
        var stale =
                method(
                        new Synchronization.StaleSynchronous(
                                1, false, new StalenessCorrection.None()),
                        Topology.AllReduce.by(Algorithm.RING));

        assertThatThrownBy(() -> run(stale, 4)).hasMessageContaining("cannot run over topology");
    }

    @Test
    void rejectsNegativeTimes() {
        assertThatThrownBy(() -> run(bsp(Algorithm.RING), 0.1, -0.1))
                .hasMessage("computeSeconds -0.1 is out of range: at least 0 and finite");
        assertThatThrownBy(() -> Links.uniform(-1, 0))
                .hasMessage("link costs of -1.0 s and 0.0 s a byte are out of range: at least 0");
    }

    /** Frames that cannot be summed take P - 1 steps of whole frames. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 600})
    void allGatherReplacesTheAllReduceOfTopK(int replicas) {
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

    /** The links of the replicas are shaped, the server's port is not. */
    @Test
    void shapedLinksDoNotDelayOneAnother() {
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

        // All four frames pass their links at once, and then the server's port one by one.
        double oneWay = ALPHA + BYTES * (held + 3 * BETA);
        assertThat(timing.seconds()).isBetween(COMPUTE + oneWay, COMPUTE + 2 * oneWay + 1e-9);
    }

    /** Rank 0 receives the vectors of all others while rank 1 computes. */
    @Test
    void flatReceivesEarlyRanksBeforeTheLastIsReady() {
        double message = ALPHA + BETA * BYTES;

        Timing timing = run(bsp(Algorithm.FLAT), 0.1, 0.3, 0.1, 0.1);

        assertThat(timing.seconds()).isEqualTo(ROUNDS * (0.3 + 4 * message), within(1e-9));
        assertThat(timing.bytes()).isEqualTo(ROUNDS * 6.0 * BYTES);
    }
}
