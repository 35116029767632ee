package dev.equipoise.app.plan;

import static dev.equipoise.app.plan.TestingPlans.COMPUTE;
import static dev.equipoise.app.plan.TestingPlans.REAL;
import static dev.equipoise.app.plan.TestingPlans.ROUNDS;
import static dev.equipoise.app.plan.TestingPlans.VIRTUAL;
import static dev.equipoise.app.plan.TestingPlans.configuration;
import static dev.equipoise.app.plan.TestingPlans.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the model without jitter to closed forms, over links of 50 us and 10 ns a byte. */
class EpochTimeModelTest {

    private static final double ALPHA = 50e-6;
    private static final double BETA = 1e-8;
    private static final Percentage CLOSE = Percentage.withPercentage(2);
    private static final long BYTES = 4L * configuration(VIRTUAL).architecture().parameterCount();

    private static double allReduce(Algorithm algorithm, int ranks) {
        return new CostModel(ALPHA, BETA, 0).seconds(algorithm, ranks, BYTES);
    }

    private static double seconds(RunConfiguration configuration, Double... samplesPerSecond) {
        return model(configuration, samplesPerSecond).estimate().epochSeconds();
    }

    @ParameterizedTest
    @CsvSource({
        "ring,RING",
        "tree,TREE",
        "recursive-doubling,RECURSIVE_DOUBLING",
        "halving-doubling,HALVING_DOUBLING",
        "flat,FLAT"
    })
    void roundIsComputingTimePlusOneAllReduce(String name, Algorithm algorithm) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL, "topology: {kind: all-reduce, algorithm: %s}".formatted(name));

        EpochTimeEstimate estimate = model(wanted, 1000.0).estimate();

        double exchange = allReduce(algorithm, 4);
        assertThat(estimate.epochSeconds()).isEqualTo(ROUNDS * (COMPUTE + exchange), within(1e-9));
        assertThat(estimate.computeSeconds()).isEqualTo(ROUNDS * COMPUTE, within(1e-9));
        assertThat(estimate.exchangeShare())
                .isEqualTo(exchange / (COMPUTE + exchange), within(1e-9));
    }

    /** Each bucket follows the one before, and its layers. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roundWithBucketsFollowsTheRecurrence(boolean overlap) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "synchronization: {kind: bsp, overlap: %s, bucketMegabytes: 0.1}"
                                .formatted(overlap));
        var costs = new CostModel(ALPHA, BETA, 0);
        double end = 0;
        var buckets =
                GradientBucket.of(
                        (Synchronization.Bsp) wanted.synchronization(), wanted.architecture());
        for (GradientBucket bucket : buckets) {
            end =
                    Math.max(bucket.ready() * COMPUTE, end)
                            + costs.seconds(Algorithm.RING, 4, bucket.bytes());
        }

        assertThat(buckets).hasSizeGreaterThan(1);
        assertThat(seconds(wanted, 1000.0)).isEqualTo(ROUNDS * end, within(1e-9));
    }

    /** The mean bandwidth around the ring is 75.25 MB/s and the slowest 1. */
    @Test
    void ringWithASlowLinkSendsFewerRows() {
        String model =
                """
                apiVersion: equipoise/v1
                name: sampled
                dataset: { name: brown, view: sequences, vocabulary: 5000, length: 5, limit: 400 }
                network: { preset: rnn-lm, hidden: 8 }
                training: { epochs: 1, batchSize: 1 }
                workers: { replicas: 4 }
                execution: { kind: virtual, samplesPerSecond: 1000, link: { megabytesPerSecond: 100 } }
                heterogeneity: { links: [ { between: [0, 1], megabytesPerSecond: 1 } ] }
                compression: { kind: sampled-rows, frequent: 0, others: 0.6%s }
                """;
        double plain = model(configuration(model.formatted("")), 1000.0).frame().bytes();
        double followed =
                model(configuration(model.formatted(", followLinks: true")), 1000.0)
                        .frame()
                        .bytes();

        double factor = 1 / 75.25;
        double hidden = 4 * 0.5 * (8 * 8 + 8 * 8 + 8);
        double output = 4 * 9 * 5000 * 0.6;
        assertThat(plain - followed).isEqualTo((1 - factor) * (hidden + output), within(1.0));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 25})
    void longerPeriodHasFewerExchanges(int period) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "synchronization: {kind: local-sgd, period: %d}".formatted(period));

        EpochTimeEstimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.epochSeconds())
                .isEqualTo(
                        ROUNDS * (COMPUTE + allReduce(Algorithm.RING, 4) / period), within(1e-9));
        assertThat(estimate.bytes())
                .isEqualTo((double) ROUNDS / period * 2 * 3 * BYTES, within(1.0));
    }

    /** A period of 250 rounds means one exchange in 2.5 epochs on average. */
    @Test
    void exchangeRarerThanEpochsIsSpreadOverThem() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "synchronization: {kind: diloco, period: 250}");

        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * COMPUTE + 0.4 * allReduce(Algorithm.RING, 4), within(1e-9));
    }

    /** An epoch has 1,500 rounds, of which the model simulates some. */
    @Test
    void longEpochsAreScaledFromSomeRounds() {
        RunConfiguration wanted = configuration(VIRTUAL, "dataset: {name: mnist, limit: 60000}");

        assertThat(wanted.rounds()).isEqualTo(1500);
        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(1500 * (COMPUTE + allReduce(Algorithm.RING, 4)), within(1e-6));
    }

    @Test
    void fastRanksWaitForSlowOnes() {
        EpochTimeEstimate estimate =
                model(configuration(VIRTUAL), 1000.0, 1000.0, 1000.0, 500.0).estimate();

        double exchange = ROUNDS * allReduce(Algorithm.RING, 4);
        RankSeconds fast = estimate.ranks().getFirst();
        RankSeconds slow = estimate.ranks().getLast();
        assertThat(fast.computeSeconds()).isEqualTo(ROUNDS * COMPUTE, within(1e-9));
        assertThat(fast.waitSeconds()).isEqualTo(ROUNDS * COMPUTE, within(1e-9));
        assertThat(fast.transferSeconds()).isEqualTo(exchange, within(1e-9));
        assertThat(slow.computeSeconds()).isEqualTo(2 * ROUNDS * COMPUTE, within(1e-9));
        assertThat(slow.waitSeconds()).isZero();
    }

    @Test
    void parameterServerTransfersTheBytesOfAllReplicas() {
        RunConfiguration wanted = configuration(VIRTUAL, "topology: parameter-server");

        EpochTimeEstimate estimate = model(wanted, 1000.0).estimate();

        // The replica answered first pushes first again, so that up to half of the time overlaps.
        assertThat(estimate.epochSeconds())
                .isBetween(
                        ROUNDS * (COMPUTE + 4 * BETA * BYTES),
                        ROUNDS * (COMPUTE + 2 * ALPHA + 2 * 4 * BETA * BYTES));
        assertThat(estimate.bytes()).isCloseTo(ROUNDS * 2.0 * 4 * BYTES, CLOSE);
        assertThat(estimate.ranks()).hasSize(5);
        assertThat(estimate.ranks().getFirst().computeSeconds()).isZero();
    }

    /** A rank sends its vector to two neighbors and receives theirs at the same time. */
    @Test
    void gossipExchangesWithTwoNeighbors() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "synchronization: {kind: local-sgd, period: 1}",
                        "topology: {kind: gossip, schedule: fixed}");

        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * (COMPUTE + ALPHA + 2 * BETA * BYTES), within(1e-6));
    }

    @Test
    void asynchronousEpochTakesItsComputingTime() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "synchronization: {kind: async, maxStaleness: 100}");

        assertThat(seconds(wanted, 1000.0))
                .isCloseTo(ROUNDS * COMPUTE, Percentage.withPercentage(15));
    }

    /** A sum takes longer than a round here, so that sums follow one another without a pause. */
    @Test
    void queuedSumsHideTheRoundsThatFollow() {
        RunConfiguration queued =
                configuration(VIRTUAL, "synchronization: {kind: async, inFlight: 2}");
        RunConfiguration waiting = configuration(VIRTUAL, "synchronization: bsp");

        double sum = seconds(waiting, 1000.0) / ROUNDS - COMPUTE;
        assertThat(sum).isGreaterThan(COMPUTE);
        assertThat(seconds(queued, 1000.0)).isEqualTo(COMPUTE + ROUNDS * sum, within(1e-6));
    }

    @Test
    void singleReplicaExchangesNothing() {
        RunConfiguration wanted = configuration(VIRTUAL, "workers: {replicas: 1}");

        EpochTimeEstimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(estimate.bytes()).isZero();
        assertThat(estimate.exchangeShare()).isZero();
    }

    /** The slowest link has 2 MB/s. */
    @Test
    void shapedLinkSlowsTheRing() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "heterogeneity: {links: [{between: [0, 1], megabytesPerSecond: 2}]}");

        double step = ALPHA + BYTES / 4.0 / 2e6;
        assertThat(seconds(wanted, 1000.0)).isCloseTo(ROUNDS * (COMPUTE + 6 * step), CLOSE);
    }

    /** Frames with 4 bits an element make three steps of an all-gather. */
    @Test
    void encodedFramesAreShorterAndGatheredByAll() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "compression: {kind: qsgd, bits: 4, bucket: 512}");

        double frame = model(wanted, 1000.0).frame().bytes();
        assertThat(frame).isBetween(BYTES / 8.0, BYTES / 7.5);
        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * (COMPUTE + 3 * (ALPHA + BETA * frame)), within(1e-9));
    }

    /** The slowdown applies to 4 of 6 epochs, and to 2 of 6. */
    @ParameterizedTest
    @CsvSource({"3,2", "5,1"})
    void slowdownOfMostEpochsApplies(int from, int factor) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "heterogeneity: {slowDown: {3: 2}, slowDownFrom: %d}".formatted(from));

        assertThat(model(wanted, 1000.0).estimate().computeSeconds())
                .isEqualTo(factor * ROUNDS * COMPUTE, within(1e-9));
    }

    @Test
    void dynamicSharesHaveConverged() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL, "partitioning: dynamic", "heterogeneity: {slowDown: {0: 3}}");

        EpochTimeEstimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.shares()).containsExactly(400, 1200, 1200, 1200);
        assertThat(estimate.computeSeconds()).isEqualTo(1.2, within(1e-9));
    }

    @Test
    void timedAllReduceScalesTheLinks() {
        RunConfiguration wanted = configuration(REAL);

        EpochTimeModel calibrated = model(wanted, 1000.0).calibrated(0.007);

        assertThat(calibrated.links().basis()).isEqualTo(LinkCosts.Basis.CALIBRATED);
        assertThat(calibrated.estimate().epochSeconds())
                .isEqualTo(ROUNDS * (COMPUTE + 0.007), within(1e-9));
    }

    /** A tree of four ranks uses two links at once and pipelines slices. */
    @Test
    void timedAllReduceScalesShapedLinksAsWell() {
        RunConfiguration wanted =
                configuration(
                        REAL,
                        "topology: {kind: all-reduce, algorithm: tree}",
                        "heterogeneity: {links: [{megabytesPerSecond: 25}]}");

        EpochTimeModel model = model(wanted, 1000.0);

        assertThat(model.estimate().epochSeconds()).isGreaterThan(ROUNDS * (COMPUTE + 0.2));
        assertThat(model.calibrated(0.15).estimate().epochSeconds())
                .isEqualTo(ROUNDS * (COMPUTE + 0.15), within(1e-9));
    }

    /** Excludes frames of unknown length, gossip, and virtual links, whose costs are specified. */
    @Test
    void calibrationAppliesOnlyToAllReducesOverRealLinks() {
        assertThat(
                        List.of(
                                configuration(
                                        REAL, "compression: {kind: threshold, threshold: 0.1}"),
                                configuration(
                                        REAL,
                                        "synchronization: ad-psgd",
                                        "topology: {kind: gossip, schedule: random-matching}"),
                                configuration(VIRTUAL)))
                .extracting(it -> model(it, 1000.0).calibrated(0.007).links().basis())
                .containsExactly(
                        LinkCosts.Basis.ASSUMED,
                        LinkCosts.Basis.ASSUMED,
                        LinkCosts.Basis.SPECIFIED);
    }

    /** Up to 512 replicas each step of a ring is simulated, above that the closed form is used. */
    @ParameterizedTest
    @ValueSource(ints = {512, 1000})
    void manyReplicasArePredicted(int replicas) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "workers: {replicas: %d}".formatted(replicas),
                        "dataset: {name: mnist, limit: 60000}");

        double batch = 60_000.0 / wanted.rounds() / replicas;
        assertThat(seconds(wanted, 1000.0))
                .isCloseTo(
                        wanted.rounds() * (batch / 1000 + allReduce(Algorithm.RING, replicas)),
                        CLOSE);
    }

    @Test
    void numbersOfSharesAndSpeedsMustMatchTheRanks() {
        RunConfiguration wanted = configuration(VIRTUAL);

        assertThatThrownBy(() ->
                        new EpochTimeModel(
                                wanted, List.of(4000), List.of(), TestingPlans.links(wanted)))
                .hasMessage("got 1 shares for 4 ranks and 0 speeds for 4 replicas");
    }
}
