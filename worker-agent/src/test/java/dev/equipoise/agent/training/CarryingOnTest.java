package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static dev.equipoise.agent.training.TestingTask.SAMPLES;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks under gossip, or at asynchronous servers, continue without a lost rank. */
class CarryingOnTest {

    private static final int EPOCHS = 8;
    private static final int LOST_IN = 2;
    private static final Compression NONE = new Compression.None();

    static Stream<Method> methods() {
        return Stream.of(
                gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM, NONE),
                gossip(new Partners.Linear(true), Payload.UPDATE, Mixing.UNIFORM, NONE),
                gossip(
                        new Partners.Dissemination(),
                        Payload.UPDATE,
                        Mixing.UNIFORM,
                        new Compression.TopK(0.2, true)),
                gossip(new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, NONE),
                gossip(new Partners.Linear(false), Payload.WEIGHTS, Mixing.METROPOLIS, NONE),
                gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM, NONE),
                new Method(
                        new Synchronization.AdPsgd(),
                        new Gossip(
                                new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, 0),
                        NONE),
                served(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, new StalenessCorrection.Inverse()),
                        1),
                served(
                        new Synchronization.StaleSynchronous(
                                1, false, new StalenessCorrection.None()),
                        2),
                served(
                        new Synchronization.StaleSynchronous(
                                2, true, new StalenessCorrection.None()),
                        1));
    }

    private static Method gossip(
            Partners partners, Payload payload, Mixing mixing, Compression compression) {
        return new Method(
                new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                new Gossip(partners, payload, mixing, 0),
                compression);
    }

    private static Method served(Synchronization synchronization, int servers) {
        return new Method(
                synchronization,
                new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN),
                NONE);
    }

    private static TrainingPlan plan(Method method, List<Integer> ofReplicas) {
        int servers = method.topology().servers();
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.addAll(ofReplicas);
        OptimizerSpec optimizer = servers > 0 ? SGD : MOMENTUM;
        return TestingTask.plan(method, optimizer, EPOCHS, shares);
    }

    private static TrainingPlan ofFour(Method method) {
        return plan(method, List.of(25, 25, 25, 24));
    }

    private static TestingReplicas replicas() {
        return new TestingReplicas(DATA, SystemTime::new)
                .resuming(_ ->
                        new ResumeInstructions(
                                InterruptedTrainingTest.NONE, new SystemBackground()));
    }

    /** Runs all ranks to their ends, successful or not; returns their events. */
    private static Map<Integer, List<RunReport>> run(
            TestingReplicas replicas, TrainingPlan plan, int victim, int round)
            throws InterruptedException {
        Map<Integer, List<RunReport>> told = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (Channel channel : MemoryChannel.join(plan.division().ranks())) {
            List<RunReport> own = new ArrayList<>();
            told.put(channel.rank(), own);
            Consumer<RunReport> events = own::add;
            Consumer<RunReport> fate =
                    channel.rank() == victim ? failingAfter(victim, round) : _ -> {};
            var _ =
                    threads.submit(
                            () -> replicas.train(plan, channel, _ -> {}, events.andThen(fate)));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        return told;
    }

    private static Consumer<RunReport> failingAfter(int victim, int round) {
        return event -> {
            if (event.equals(new RoundReached(victim, LOST_IN, round))) {
                throw new IllegalStateException("killed");
            }
        };
    }

    private static int rounds(List<RunReport> events, int epoch) {
        return (int)
                events.stream()
                        .filter(RoundReached.class::isInstance)
                        .map(RoundReached.class::cast)
                        .filter(it -> it.epoch() == epoch)
                        .count();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void survivorsEndTheEpochAndContinueFromTheirOwnState(Method method) throws Exception {
        int servers = method.topology().servers();
        int victim = servers + 2;
        TestingReplicas disturbed = replicas();

        Map<Integer, List<RunReport>> told = run(disturbed, ofFour(method), victim, 3);

        List<Integer> left =
                IntStream.range(0, servers + 4).filter(it -> it != victim).boxed().toList();
        Map<Integer, RetainedState> retained = disturbed.retained();
        assertThat(retained).containsOnlyKeys(left);
        assertThat(retained.values())
                .extracting(RetainedState::position)
                .containsOnly(new Position(LOST_IN, ROUNDS, SAMPLES));
        for (int rank : left.subList(servers, left.size())) {
            assertThat(rounds(requireNonNull(told.get(rank)), LOST_IN)).isEqualTo(ROUNDS);
        }

        List<Outcome> after = resume(plan(method, List.of(33, 33, 33)), left, retained, servers);

        assertThat(after)
                .allSatisfy(it ->
                        assertThat(it.epochs())
                                .extracting(EpochFinished::epoch)
                                .containsExactly(2, 3, 4, 5, 6, 7, 8));
        assertThat(accuracy(after))
                .isCloseTo(accuracy(replicas().train(ofFour(method))), within(0.15));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void joiningRankGetsTheStateOfASurvivor(Method method) throws Exception {
        int servers = method.topology().servers();
        int victim = servers + 3;
        TestingReplicas disturbed = replicas();
        run(disturbed, ofFour(method), victim, 2);

        List<Outcome> after =
                resume(
                        ofFour(method),
                        IntStream.range(0, servers + 3).boxed().toList(),
                        disturbed.retained(),
                        servers);

        assertThat(after)
                .allSatisfy(it ->
                        assertThat(it.epochs())
                                .extracting(EpochFinished::epoch)
                                .containsExactly(2, 3, 4, 5, 6, 7, 8));
        assertThat(accuracy(after))
                .isCloseTo(accuracy(replicas().train(ofFour(method))), within(0.15));
    }

    /**
     * Renumbers the surviving ranks, which continue from their own state; further ranks have none,
     * and start with the state of the first replica.
     */
    private static List<Outcome> resume(
            TrainingPlan plan,
            List<Integer> left,
            Map<Integer, RetainedState> retained,
            int servers)
            throws InterruptedException {
        var continuation =
                new Continuation(
                        new Position(LOST_IN, ROUNDS, SAMPLES),
                        IntStream.range(0, left.size()).boxed().toList());
        TestingReplicas replicas =
                replicas()
                        .resuming(rank ->
                                new ResumeInstructions(
                                        InterruptedTrainingTest.NONE,
                                        new SystemBackground(),
                                        continuation,
                                        rank < left.size() ? retained.get(left.get(rank)) : null));
        List<Outcome> outcomes = replicas.train(plan);
        for (int rank = 0; rank < outcomes.size(); rank++) {
            RetainedState begunWith = retained.get(left.get(rank < left.size() ? rank : servers));
            assertThat(replicas.begun().get(rank))
                    .isEqualTo(requireNonNull(begunWith).held().parameters());
        }
        return outcomes;
    }

    private static double accuracy(List<Outcome> outcomes) {
        return requireNonNull(outcomes.getFirst().epochs().getLast().test()).accuracy();
    }
}
