package dev.equipoise.performance.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares overlapped rounds of 0.1 s to the recurrence, over links of 50 us and 100 MB/s. */
class BucketRoundsTest {

    private static final int ROUNDS = 10;
    private static final double COMPUTE = 0.1;
    private static final double ALPHA = 50e-6;
    private static final double BETA = 1e-8;
    private static final double ROUNDING = 1e-9;

    /** Backward order: 1, 2 and 1 MB, of which the first are ready in the middle of the round. */
    private static final List<GradientBucket> BUCKETS =
            List.of(
                    new GradientBucket(3_000_000, 1_000_000, 0.5),
                    new GradientBucket(1_000_000, 2_000_000, 0.6),
                    new GradientBucket(0, 1_000_000, 1));

    private static final CostModel COSTS = new CostModel(ALPHA, BETA, 0);

    private static Scenario scenario(
            Topology topology, List<Double> computeSeconds, List<GradientBucket> buckets) {
        return new Scenario(
                        new Method(
                                new Synchronization.Bsp(true, 25.0, 1.0),
                                topology,
                                new Compression.None()),
                        ROUNDS,
                        computeSeconds,
                        Collections.nCopies(computeSeconds.size(), 1),
                        Noise.NONE,
                        Links.uniform(ALPHA, BETA),
                        Traffic.of(4_000_000))
                .in(buckets);
    }

    private static Timing play(Topology topology, Double... computeSeconds) {
        return Simulator.run(scenario(topology, List.of(computeSeconds), BUCKETS), 1);
    }

    private static List<GradientBucket> atTheEnd() {
        return BUCKETS.stream().map(it -> new GradientBucket(it.offset(), it.bytes(), 1)).toList();
    }

    /** Returns the seconds of a round: the end of each bucket's exchange follows the one before. */
    private static double recurrence(Algorithm algorithm, int ranks, List<GradientBucket> buckets) {
        double end = 0;
        for (GradientBucket bucket : buckets) {
            end =
                    Math.max(bucket.ready() * COMPUTE, end)
                            + COSTS.seconds(algorithm, ranks, bucket.bytes());
        }
        return end;
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"RING", "TREE", "RECURSIVE_DOUBLING", "HALVING_DOUBLING", "FLAT"})
    void roundFollowsTheRecurrenceOverBuckets(Algorithm algorithm) {
        Timing timing = play(Topology.AllReduce.by(algorithm), COMPUTE, COMPUTE, COMPUTE, COMPUTE);

        assertThat(timing.seconds())
                .isEqualTo(ROUNDS * recurrence(algorithm, 4, BUCKETS), within(ROUNDING));
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"RING", "TREE", "RECURSIVE_DOUBLING", "HALVING_DOUBLING", "FLAT"})
    void bucketsWithoutOverlapFollowTheComputing(Algorithm algorithm) {
        List<Double> compute = Collections.nCopies(4, COMPUTE);
        Timing timing =
                Simulator.run(scenario(Topology.AllReduce.by(algorithm), compute, atTheEnd()), 1);

        assertThat(timing.seconds())
                .isEqualTo(ROUNDS * recurrence(algorithm, 4, atTheEnd()), within(ROUNDING));
        assertThat(timing.bytes())
                .isEqualTo(
                        ROUNDS
                                * BUCKETS.stream()
                                        .mapToDouble(it -> COSTS.bytes(algorithm, 4, it.bytes()))
                                        .sum(),
                        within(1.0));
    }

    /** The first two buckets need 0.045 s of the ring and are hidden behind 0.05 s of computing. */
    @Test
    void onlyTheLastBucketOfAFastExchangeIsExposed() {
        Timing timing = play(Topology.AllReduce.by(Algorithm.RING), COMPUTE, COMPUTE);

        double last = COSTS.seconds(Algorithm.RING, 2, 1_000_000);
        assertThat(timing.seconds()).isEqualTo(ROUNDS * (COMPUTE + last), within(ROUNDING));
        for (Timing.ReplicaTime replica : timing.replicas()) {
            assertThat(replica.computing()).isEqualTo(ROUNDS * COMPUTE, within(ROUNDING));
            assertThat(replica.transferring()).isEqualTo(ROUNDS * last, within(ROUNDING));
            assertThat(replica.waiting()).isZero();
        }
    }

    /** The slow replica computes twice as long, so that all but the last bucket are hidden. */
    @Test
    void fastReplicasWaitUntilTheSlowOneHasComputed() {
        Timing timing = play(Topology.AllReduce.by(Algorithm.RING), COMPUTE, 2 * COMPUTE);

        double last = COSTS.seconds(Algorithm.RING, 2, 1_000_000);
        assertThat(timing.seconds()).isEqualTo(ROUNDS * (2 * COMPUTE + last), within(ROUNDING));
        assertThat(timing.replicas().getFirst().waiting())
                .isEqualTo(ROUNDS * COMPUTE, within(ROUNDING));
        assertThat(timing.replicas().getFirst().transferring())
                .isEqualTo(ROUNDS * last, within(ROUNDING));
        assertThat(timing.replicas().getLast().waiting()).isZero();
    }

    /** The server's port takes 4 frames of each bucket, and sends as many answers. */
    @Test
    void serverAnswersABucketBeforeItGetsTheNext() {
        Topology server = new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN);
        Timing timing = play(server, COMPUTE, COMPUTE, COMPUTE, COMPUTE);
        Timing whole =
                Simulator.run(scenario(server, Collections.nCopies(4, COMPUTE), List.of()), 1);

        double first = 2 * (ALPHA + 4 * BETA * 1_000_000);
        double second = 2 * (ALPHA + 4 * BETA * 2_000_000);
        double round = 0.05 + first + second + first;
        // The replica answered first pushes first again, so that answers and pushes overlap.
        assertThat(timing.seconds()).isBetween(ROUNDS * (round - first - second), ROUNDS * round);
        assertThat(timing.seconds()).isLessThan(whole.seconds());
        assertThat(timing.bytes()).isEqualTo(ROUNDS * 2 * 4 * 4_000_000.0, within(1.0));
        assertThat(timing.serverUtilization())
                .isEqualTo(ROUNDS * 4 * BETA * 4_000_000 / timing.seconds(), within(1e-6));
    }

    @Test
    void oneBucketAtTheEndIsTheWholeGradient() {
        for (Topology topology :
                List.of(
                        Topology.AllReduce.by(Algorithm.RING),
                        new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN))) {
            List<Double> compute = List.of(COMPUTE, 1.5 * COMPUTE, COMPUTE);
            var one = List.of(new GradientBucket(0, 4_000_000, 1));

            assertThat(Simulator.run(scenario(topology, compute, one), 1))
                    .isEqualTo(Simulator.run(scenario(topology, compute, List.of()), 1));
        }
    }

    @Test
    void singleReplicaExchangesNothing() {
        List<Double> compute = List.of(COMPUTE);
        Timing timing =
                Simulator.run(scenario(Topology.AllReduce.by(Algorithm.RING), compute, BUCKETS), 1);

        assertThat(timing.seconds()).isEqualTo(ROUNDS * COMPUTE, within(ROUNDING));
        assertThat(timing.bytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 4})
    void overlapNeverTakesLongerThanTheSameBucketsAtTheEnd(double slower) {
        for (Algorithm algorithm : List.of(Algorithm.RING, Algorithm.TREE)) {
            Topology topology = Topology.AllReduce.by(algorithm);
            List<Double> compute = List.of(COMPUTE, slower * COMPUTE, COMPUTE, COMPUTE);

            assertThat(Simulator.run(scenario(topology, compute, BUCKETS), 1).seconds())
                    .isLessThan(
                            Simulator.run(scenario(topology, compute, atTheEnd()), 1).seconds());
        }
    }

    @Test
    void rejectsBucketsOfOtherExchanges() {
        List<Double> compute = List.of(COMPUTE, COMPUTE);
        Scenario ring = scenario(Topology.AllReduce.by(Algorithm.RING), compute, List.of());
        var coded =
                new Scenario(
                        new Method(
                                new Synchronization.Bsp(),
                                Topology.AllReduce.by(Algorithm.RING),
                                new Compression.TopK(0.1, true)),
                        ROUNDS,
                        compute,
                        List.of(1, 1),
                        Noise.NONE,
                        ring.links(),
                        ring.traffic());

        assertThatThrownBy(() -> coded.in(BUCKETS)).hasMessageContaining("has no buckets");
        assertThatThrownBy(() -> ring.in(BUCKETS.subList(1, 3)))
                .hasMessage("the buckets sum to 3000000 bytes, the vector has 4000000");
    }
}
