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

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.RankSeconds;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without noise, against closed forms: 50 us and 10 ns a byte. */
class TimeModelTest {

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
    void aRoundIsComputingAndOneSum(String name, Algorithm algorithm) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL, "topology: {kind: all-reduce, algorithm: %s}".formatted(name));

        Estimate estimate = model(wanted, 1000.0).estimate();

        double exchange = allReduce(algorithm, 4);
        assertThat(estimate.epochSeconds()).isEqualTo(ROUNDS * (COMPUTE + exchange), within(1e-9));
        assertThat(estimate.computeSeconds()).isEqualTo(ROUNDS * COMPUTE, within(1e-9));
        assertThat(estimate.exchangeShare())
                .isEqualTo(exchange / (COMPUTE + exchange), within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 25})
    void whoAgreesSeldomExchangesSeldom(int period) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "synchronization: {kind: local-sgd, period: %d}".formatted(period));

        Estimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.epochSeconds())
                .isEqualTo(
                        ROUNDS * (COMPUTE + allReduce(Algorithm.RING, 4) / period), within(1e-9));
        assertThat(estimate.bytes())
                .isEqualTo((double) ROUNDS / period * 2 * 3 * BYTES, within(1.0));
    }

    /** One exchange in two and a half epochs, on the mean. */
    @Test
    void anExchangeThatIsRarerThanEpochsIsSpreadOverThem() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "synchronization: {kind: diloco, period: 250}");

        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * COMPUTE + 0.4 * allReduce(Algorithm.RING, 4), within(1e-9));
    }

    /** 1,500 rounds, of which some are played. */
    @Test
    void longEpochsAreStretchedFromSomeOfTheirRounds() {
        RunConfiguration wanted = configuration(VIRTUAL, "dataset: {name: mnist, limit: 60000}");

        assertThat(wanted.rounds()).isEqualTo(1500);
        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(1500 * (COMPUTE + allReduce(Algorithm.RING, 4)), within(1e-6));
    }

    @Test
    void theFastWaitForTheSlow() {
        Estimate estimate = model(configuration(VIRTUAL), 1000.0, 1000.0, 1000.0, 500.0).estimate();

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
    void aServerHasTheBytesOfAllOnItsWires() {
        RunConfiguration wanted = configuration(VIRTUAL, "topology: parameter-server");

        Estimate estimate = model(wanted, 1000.0).estimate();

        // Who is answered first is first again, so that pushes and answers overlap by up to a half.
        assertThat(estimate.epochSeconds())
                .isBetween(
                        ROUNDS * (COMPUTE + 4 * BETA * BYTES),
                        ROUNDS * (COMPUTE + 2 * ALPHA + 2 * 4 * BETA * BYTES));
        assertThat(estimate.bytes()).isCloseTo(ROUNDS * 2.0 * 4 * BYTES, CLOSE);
        assertThat(estimate.ranks()).hasSize(5);
        assertThat(estimate.ranks().getFirst().computeSeconds()).isZero();
    }

    /** A whole vector to each of two neighbours, and back at once. */
    @Test
    void neighboursTellEachOther() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "synchronization: {kind: local-sgd, period: 1}",
                        "topology: {kind: gossip, schedule: fixed}");

        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * (COMPUTE + ALPHA + 2 * BETA * BYTES), within(1e-6));
    }

    @Test
    void whoDoesNotWaitTakesAsLongAsItComputes() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "synchronization: {kind: async, maxStaleness: 100}");

        assertThat(seconds(wanted, 1000.0))
                .isCloseTo(ROUNDS * COMPUTE, Percentage.withPercentage(15));
    }

    @Test
    void oneReplicaTellsNobody() {
        RunConfiguration wanted = configuration(VIRTUAL, "workers: {replicas: 1}");

        Estimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.epochSeconds()).isEqualTo(4, within(1e-9));
        assertThat(estimate.bytes()).isZero();
        assertThat(estimate.exchangeShare()).isZero();
    }

    /** The slowest link has 2 MB/s. */
    @Test
    void aLinkThatIsHeldBackHoldsTheRingBack() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "heterogeneity: {links: [{between: [0, 1], megabytesPerSecond: 2}]}");

        double step = ALPHA + BYTES / 4.0 / 2e6;
        assertThat(seconds(wanted, 1000.0)).isCloseTo(ROUNDS * (COMPUTE + 6 * step), CLOSE);
    }

    /** Frames of the 43,123 largest of 431,226 go three steps round. */
    @Test
    void codedFramesAreShorterAndGoRoundToAll() {
        RunConfiguration wanted =
                configuration(VIRTUAL, "compression: {kind: qsgd, bits: 4, bucket: 512}");

        double frame = model(wanted, 1000.0).frame().bytes();
        assertThat(frame).isBetween(BYTES / 8.0, BYTES / 7.5);
        assertThat(seconds(wanted, 1000.0))
                .isEqualTo(ROUNDS * (COMPUTE + 3 * (ALPHA + BETA * frame)), within(1e-9));
    }

    /** Four of six epochs, and two of six. */
    @ParameterizedTest
    @CsvSource({"3,2", "5,1"})
    void theEpochInTheMiddleIsThatOfMostEpochs(int from, int factor) {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL,
                        "heterogeneity: {slowDown: {3: 2}, slowDownFrom: %d}".formatted(from));

        assertThat(model(wanted, 1000.0).estimate().computeSeconds())
                .isEqualTo(factor * ROUNDS * COMPUTE, within(1e-9));
    }

    @Test
    void sharesThatFollowSpeedsHaveFoundThem() {
        RunConfiguration wanted =
                configuration(
                        VIRTUAL, "partitioning: dynamic", "heterogeneity: {slowDown: {0: 3}}");

        Estimate estimate = model(wanted, 1000.0).estimate();

        assertThat(estimate.shares()).containsExactly(400, 1200, 1200, 1200);
        assertThat(estimate.computeSeconds()).isEqualTo(1.2, within(1e-9));
    }

    @Test
    void aSumThatWasTimedTellsWhatTheLinksCost() {
        RunConfiguration wanted = configuration(REAL);

        TimeModel rehearsed = model(wanted, 1000.0).rehearsed(0.007);

        assertThat(rehearsed.links().basis()).isEqualTo(LinkCosts.Basis.REHEARSED);
        assertThat(rehearsed.estimate().epochSeconds())
                .isEqualTo(ROUNDS * (COMPUTE + 0.007), within(1e-9));
    }

    /** A tree of four has two links at work at once, and passes on slice by slice. */
    @Test
    void aSumOverLinksThatAreHeldBackTellsOfTheseAsWell() {
        RunConfiguration wanted =
                configuration(
                        REAL,
                        "topology: {kind: all-reduce, algorithm: tree}",
                        "heterogeneity: {links: [{megabytesPerSecond: 25}]}");

        TimeModel model = model(wanted, 1000.0);

        assertThat(model.estimate().epochSeconds()).isGreaterThan(ROUNDS * (COMPUTE + 0.2));
        assertThat(model.rehearsed(0.15).estimate().epochSeconds())
                .isEqualTo(ROUNDS * (COMPUTE + 0.15), within(1e-9));
    }

    /** Zeros are no frame of a threshold, neighbours make no sum, and a virtual link is told. */
    @Test
    void whatWasTimedIsOnlyBelievedWhereItTellsOfTheLinks() {
        assertThat(
                        List.of(
                                configuration(
                                        REAL, "compression: {kind: threshold, threshold: 0.1}"),
                                configuration(
                                        REAL,
                                        "synchronization: ad-psgd",
                                        "topology: {kind: gossip, schedule: random-matching}"),
                                configuration(VIRTUAL)))
                .extracting(it -> model(it, 1000.0).rehearsed(0.007).links().basis())
                .containsExactly(
                        LinkCosts.Basis.ASSUMED, LinkCosts.Basis.ASSUMED, LinkCosts.Basis.TOLD);
    }

    /** Of 512 replicas every step of a ring is played, of more one for all. */
    @ParameterizedTest
    @ValueSource(ints = {512, 1000})
    void manyReplicasArePredictedAsWell(int replicas) {
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
    void sharesAndSpeedsAreThoseOfTheRanks() {
        RunConfiguration wanted = configuration(VIRTUAL);

        assertThatThrownBy(() ->
                        new TimeModel(wanted, List.of(4000), List.of(), TestingPlans.links(wanted)))
                .hasMessage("4 ranks with 4 replicas have 1 shares and 0 speeds");
    }
}
