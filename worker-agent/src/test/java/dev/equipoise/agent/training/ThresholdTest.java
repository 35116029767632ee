package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingMethods.CLASSES;
import static dev.equipoise.agent.training.TestingMethods.NETWORK;
import static dev.equipoise.agent.training.TestingMethods.NONE;
import static dev.equipoise.agent.training.TestingMethods.RING;
import static dev.equipoise.agent.training.TestingMethods.async;
import static dev.equipoise.agent.training.TestingMethods.bsp;
import static dev.equipoise.agent.training.TestingMethods.gossip;
import static dev.equipoise.agent.training.TestingMethods.local;
import static dev.equipoise.agent.training.TestingMethods.servers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.OwnStep;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Payload;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every method compares a fixed threshold with the gradient of the replica's own loss.
 * All samples are equal, and so all gradients: from the same weights, a step must change exactly
 * the weights whose gradient exceeds the threshold, by the learning rate times the gradient,
 * whatever vector the method sends and however many replicas there are.
 */
class ThresholdTest {

    private static final int SAMPLES = 96;
    private static final double RATE = 0.3;

    /** So small a rate leaves the weights as they are, to float32. */
    private static final double NO_RATE = 1e-30;

    /** Elements this close to the threshold, relative to it, may pass or not by rounding. */
    private static final double CLOSE = 1e-3;

    private static final DatasetSplit DATA =
            TestingDatasets.copies(NETWORK.input(), CLASSES, SAMPLES, 8, 1);

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);
    private final List<Float> before = weights(bsp(RING, NONE), List.of(SAMPLES), NO_RATE);
    private final List<Float> after = weights(bsp(RING, NONE), List.of(SAMPLES), RATE);
    private final double threshold = median();

    /** The median of the gradient's elements that are not zero. */
    private double median() {
        double[] magnitudes =
                IntStream.range(0, before.size())
                        .mapToDouble(this::magnitude)
                        .filter(it -> it > 0)
                        .sorted()
                        .toArray();
        return magnitudes[magnitudes.length / 2];
    }

    private double magnitude(int element) {
        return Math.abs(before.get(element) - after.get(element)) / RATE;
    }

    static Stream<Method> methods() {
        return Stream.of(true, false)
                .map(errorFeedback -> new Compression.Threshold(1, errorFeedback))
                .flatMap(threshold ->
                        Stream.of(
                                bsp(RING, threshold),
                                bsp(servers(1), threshold),
                                bsp(servers(2), threshold),
                                local(1, RING, threshold),
                                local(1, servers(1), threshold),
                                new Method(new Synchronization.DiLoCo(1, 1, 0), RING, threshold),
                                gossip(1, Payload.GRADIENT, Mixing.UNIFORM, threshold),
                                gossip(1, Payload.UPDATE, Mixing.UNIFORM, threshold),
                                gossip(1, Payload.UPDATE, Mixing.METROPOLIS, threshold),
                                async(1, Weighting.WEIGHTED, threshold),
                                async(1, Weighting.UNWEIGHTED, threshold),
                                queued(Weighting.WEIGHTED, threshold),
                                queued(Weighting.UNWEIGHTED, threshold)));
    }

    private static Method queued(Weighting weighting, Compression compression) {
        var async =
                new Synchronization.Async(
                        null, weighting, new StalenessCorrection.None(), 2, OwnStep.WITH_SUM);
        return new Method(async, RING, compression);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void twoReplicasCompareTheirOwnGradients(Method method) {
        assertMasked(method, List.of(48, 48));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void fourReplicasCompareTheirOwnGradients(Method method) {
        assertMasked(method, List.of(24, 24, 24, 24));
    }

    /** Three replicas at distance 1 are all replicas, so that stretched steps have the mean 1. */
    @ParameterizedTest
    @MethodSource("methods")
    void unequalReplicasCompareTheirOwnGradients(Method method) {
        assertMasked(method, List.of(16, 32, 48));
    }

    /** The replica without samples pushes nothing. */
    @Test
    void serversOnArrivalGetGradientsAboveTheThreshold() {
        var method =
                new Method(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, new StalenessCorrection.None()),
                        servers(1),
                        new Compression.Threshold(1, false));

        assertMasked(method, List.of(SAMPLES, 0));
    }

    private void assertMasked(Method method, List<Integer> shares) {
        List<Float> trained = weights(with(method, threshold), shares, RATE);

        int passed = 0;
        for (int i = 0; i < trained.size(); i++) {
            double gradient = magnitude(i);
            if (Math.abs(gradient - threshold) > CLOSE * threshold) {
                passed += gradient > threshold ? 1 : 0;
                assertThat(trained.get(i))
                        .as("element %d with the gradient %s", i, gradient)
                        .isCloseTo(
                                gradient > threshold ? after.get(i) : before.get(i), within(1e-5f));
            }
        }
        assertThat(passed).isPositive();
        assertThat(RATE * threshold)
                .as("a step that the tolerance cannot hide")
                .isGreaterThan(1e-3);
    }

    /** The change of weights since they were last sent is an update, and is coded as one. */
    @Test
    void compressedWeightsSendAsManyElementsAsUpdates() {
        for (int count : List.of(2, 4)) {
            List<Integer> shares = Collections.nCopies(count, SAMPLES / count);
            var coded = new Compression.Threshold(threshold, false);

            EpochFinished weights =
                    last(gossip(1, Payload.WEIGHTS, Mixing.UNIFORM, coded), shares, 1);
            EpochFinished updates =
                    last(gossip(1, Payload.UPDATE, Mixing.UNIFORM, coded), shares, 1);

            assertThat(weights.traffic().weightBytes())
                    .isEqualTo(updates.traffic().gradientBytes())
                    .isPositive();
        }
    }

    /** The gradient of four steps from nearly the same weights is that of one. */
    @Test
    void longPeriodsCompareTheMeanGradient() {
        var coded = new Compression.Threshold(threshold, false);
        for (int count : List.of(2, 4)) {
            List<Integer> shares = Collections.nCopies(count, SAMPLES / count);
            for (boolean isGossip : List.of(true, false)) {
                long each = bytes(isGossip, 1, coded, shares);
                long fourth = bytes(isGossip, 4, coded, shares);

                assertThat((double) each / fourth).isCloseTo(4, within(0.05));
            }
        }
    }

    private long bytes(boolean isGossip, int period, Compression coded, List<Integer> shares) {
        Method method =
                isGossip
                        ? gossip(period, Payload.UPDATE, Mixing.UNIFORM, coded)
                        : local(period, RING, coded);
        return last(method, shares, 4).traffic().gradientBytes();
    }

    /** Trains an epoch at a rate that hardly changes the gradient. */
    private EpochFinished last(Method method, List<Integer> shares, int rounds) {
        return train(method, shares, rounds, 1e-4).epochs().getLast();
    }

    private static Method with(Method method, double threshold) {
        return new Method(
                method.synchronization(),
                method.topology(),
                new Compression.Threshold(threshold, method.compression().errorFeedback()));
    }

    private List<Float> weights(Method method, List<Integer> shares, double rate) {
        return train(method, shares, 1, rate).parameters();
    }

    private Outcome train(Method method, List<Integer> shares, int rounds, double rate) {
        try {
            return replicas.train(
                            TestingMethods.plan(
                                    method, shares, rounds, 1, new OptimizerSpec.Sgd(rate)))
                    .getLast();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
