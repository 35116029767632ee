package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingMethods.CLASSES;
import static dev.equipoise.agent.training.TestingMethods.NETWORK;
import static dev.equipoise.agent.training.TestingMethods.NONE;
import static dev.equipoise.agent.training.TestingMethods.RING;
import static dev.equipoise.agent.training.TestingMethods.bsp;
import static dev.equipoise.agent.training.TestingMethods.distance;
import static dev.equipoise.agent.training.TestingMethods.gossip;
import static dev.equipoise.agent.training.TestingMethods.local;
import static dev.equipoise.agent.training.TestingMethods.plan;
import static dev.equipoise.agent.training.TestingMethods.servers;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.OwnStep;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests replicas that have fewer samples than rounds, and no gradient in some of these. */
class EmptyRoundsTest {

    private static final int ROUNDS = 8;
    private static final int EPOCHS = 3;
    private static final double TOLERANCE = 1e-5;

    private static final OptimizerSpec MOMENTUM =
            new OptimizerSpec.Sgd(0.05, 0.9, false, new Schedule.Constant(0), new Clipping.None());

    /** The schedule has another factor in each round. */
    private static final OptimizerSpec ANNEALED =
            new OptimizerSpec.Sgd(
                    0.3, 0, false, new Schedule.Cosine(0.1, 0.5), new Clipping.None());

    private final TestingReplicas replicas =
            new TestingReplicas(
                    TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, 24, 40, 1),
                    SystemTime::new);

    static Stream<Method> onArrival() {
        var none = new StalenessCorrection.None();
        return Stream.of(
                        new Synchronization.Async(null, Weighting.WEIGHTED, none),
                        new Synchronization.StaleSynchronous(1, false, none),
                        new Synchronization.StaleSynchronous(2, true, none))
                .flatMap(synchronization ->
                        Stream.of(1, 2)
                                .map(count -> new Method(synchronization, servers(count), NONE)));
    }

    /** A step with a gradient of zeros would still move the weights by the momentum. */
    @ParameterizedTest
    @MethodSource("onArrival")
    void serversStepOncePerGradient(Method method) throws Exception {
        int servers = method.topology().servers();

        List<Outcome> outcomes =
                replicas.train(plan(method, List.of(16, 2), ROUNDS, EPOCHS, MOMENTUM));

        for (EpochFinished epoch : outcomes.getFirst().epochs()) {
            assertThat(epoch.updates().steps()).isEqualTo(ROUNDS + 2);
        }
        for (EpochFinished epoch : outcomes.get(servers + 1).epochs()) {
            assertThat(epoch.updates().steps()).isEqualTo(2);
            assertThat(epoch.updates().staleness().stream().mapToLong(it -> it).sum()).isEqualTo(2);
        }
    }

    static Stream<Method> synchronous() {
        return Stream.of(
                bsp(RING, NONE),
                bsp(servers(1), NONE),
                new Method(new Synchronization.DiLoCo(1, 1, 0.5), RING, NONE),
                gossip(1, Payload.GRADIENT, Mixing.UNIFORM, NONE),
                new Method(
                        new Synchronization.Async(
                                null,
                                Weighting.WEIGHTED,
                                new StalenessCorrection.None(),
                                2,
                                OwnStep.WITH_SUM),
                        RING,
                        NONE));
    }

    /** The only sample of either replica is in the last of two rounds. */
    @ParameterizedTest
    @MethodSource("synchronous")
    void roundsWithoutAnySampleAreNoSteps(Method method) throws Exception {
        Outcome whole = replicas.train(plan(method, List.of(1, 1), 1, 6, MOMENTUM)).getLast();
        Outcome half = replicas.train(plan(method, List.of(1, 1), 2, 6, MOMENTUM)).getLast();

        assertThat(half.epochs().getLast().updates().steps()).isEqualTo(1);
        assertThat(half.parameters()).isEqualTo(whole.parameters());
    }

    /**
     * The mean of the replicas moves by the mean gradient over the samples of the round, in which
     * replicas without samples have no part. Three replicas at distance 1 are all replicas.
     */
    @ParameterizedTest
    @EnumSource(Payload.class)
    void gossipAmongThreeIsBulkSynchronous(Payload payload) throws Exception {
        List<Integer> shares = List.of(12, 3, 9);
        Method method = gossip(1, payload, Mixing.UNIFORM, NONE);

        List<Float> bulk =
                replicas.train(plan(bsp(RING, NONE), shares, ROUNDS, EPOCHS, ANNEALED))
                        .getFirst()
                        .parameters();

        for (Outcome outcome : replicas.train(plan(method, shares, ROUNDS, EPOCHS, ANNEALED))) {
            assertThat(distance(outcome.parameters(), bulk)).isLessThan(TOLERANCE);
        }
    }

    /** With Metropolis weights, global means alone keep the mean by samples. */
    @Test
    void metropolisWeightsKeepTheMeanGradient() throws Exception {
        List<Integer> shares = List.of(12, 3, 9);
        var averaged =
                new Topology.Gossip(
                        new Topology.Partners.Fixed(1), Payload.WEIGHTS, Mixing.METROPOLIS, 1);

        List<Float> bulk =
                replicas.train(plan(bsp(RING, NONE), shares, ROUNDS, EPOCHS, ANNEALED))
                        .getFirst()
                        .parameters();
        List<Float> mean =
                replicas.train(plan(local(1, averaged, NONE), shares, ROUNDS, EPOCHS, ANNEALED))
                        .getFirst()
                        .parameters();

        assertThat(distance(mean, bulk)).isLessThan(TOLERANCE);
    }

    /**
     * Without an average in the run, the evaluated mean is the one that Local SGD would take at its
     * end: by samples.
     */
    @Test
    void evaluatedMeanIsThatOfTheMethod() throws Exception {
        List<Integer> shares = List.of(4, 20);
        var sgd = new OptimizerSpec.Sgd(0.3);

        EpochFinished apart =
                replicas.train(plan(local(2 * ROUNDS, RING, NONE), shares, ROUNDS, 1, sgd))
                        .getFirst()
                        .epochs()
                        .getLast();
        EpochFinished agreed =
                replicas.train(plan(local(ROUNDS, RING, NONE), shares, ROUNDS, 1, sgd))
                        .getFirst()
                        .epochs()
                        .getLast();

        assertThat(requireNonNull(apart.distance()).absolute()).isGreaterThan(0.01);
        assertThat(requireNonNull(agreed.distance()).relative()).isLessThan(1e-6);
        assertThat(requireNonNull(apart.test()).loss())
                .isCloseTo(requireNonNull(agreed.test()).loss(), within(1e-5));
    }
}
