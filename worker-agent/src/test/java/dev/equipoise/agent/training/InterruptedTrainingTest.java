package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.ADAM;
import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static dev.equipoise.agent.training.TestingTask.SAMPLES;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static dev.equipoise.agent.training.TestingTask.localSgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks continue after a loss from the last round after which all had equal state. */
class InterruptedTrainingTest {

    private static final int EPOCHS = 3;
    static final int VICTIM = 2;

    static final Checkpoints NONE =
            new Checkpoints() {
                @Override
                public int after() {
                    return 0;
                }

                @Override
                public ReportReply reply() {
                    return ReportReply.NONE;
                }

                @Override
                public boolean isDueAfter(int epoch) {
                    return false;
                }

                @Override
                public int parts() {
                    return 0;
                }

                @Override
                public boolean keep(int epoch, int ranks, RankStatePart part) {
                    throw new AssertionError("this plan stores no checkpoint");
                }

                @Override
                public long[] load(RankStatePart part) {
                    throw new AssertionError("this run has no checkpoint");
                }
            };

    private static final Synchronization OVERLAPPED = new Synchronization.Bsp(true, 0.0002, 0.0002);

    static Stream<Arguments> methods() {
        return Stream.of(
                Arguments.of("bsp", new Synchronization.Bsp(), SGD, 3),
                Arguments.of("bsp with momentum", new Synchronization.Bsp(), MOMENTUM, 3),
                Arguments.of("bsp with adam", new Synchronization.Bsp(), ADAM, 3),
                Arguments.of("bsp overlapped", OVERLAPPED, ADAM, 3),
                Arguments.of("bsp, at an epoch's end", new Synchronization.Bsp(), ADAM, ROUNDS),
                Arguments.of("local-sgd", localSgd(Momentum.LOCAL), SGD, 4),
                Arguments.of("local-sgd, averaged", localSgd(Momentum.AVERAGE), MOMENTUM, 5),
                Arguments.of("local-sgd, forgotten", localSgd(Momentum.RESET), ADAM, 4));
    }

    private static TrainingPlan plan(
            Synchronization synchronization, OptimizerSpec optimizer, List<Integer> shares) {
        return TestingTask.plan(synchronization, optimizer, EPOCHS, shares);
    }

    static TestingReplicas replicas() {
        return new TestingReplicas(DATA, SystemTime::new)
                .resuming(_ -> new ResumeInstructions(NONE, new SystemBackground()));
    }

    /** Runs all ranks to their ends, successful or not; returns their events. */
    static Map<Integer, List<RunReport>> run(
            TestingReplicas replicas, TrainingPlan plan, IntFunction<Consumer<RunReport>> heard)
            throws InterruptedException {
        Map<Integer, List<RunReport>> told = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (Channel channel : MemoryChannel.join(plan.division().ranks())) {
            List<RunReport> own = new ArrayList<>();
            told.put(channel.rank(), own);
            Consumer<RunReport> events = own::add;
            var _ =
                    threads.submit(() ->
                            replicas.train(
                                    plan,
                                    channel,
                                    _ -> {},
                                    events.andThen(heard.apply(channel.rank()))));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        return told;
    }

    /** Makes the rank fail after a round of the second epoch. */
    static Consumer<RunReport> failingAfter(int round) {
        return event -> {
            if (event.equals(new RoundReached(VICTIM, 2, round))) {
                throw new IllegalStateException("killed");
            }
        };
    }

    /** Returns the continuation with its holders. */
    static Continuation continuation(Map<Integer, RetainedState> retained) {
        Position furthest =
                retained.values().stream()
                        .map(RetainedState::position)
                        .max(Comparator.comparingLong(it -> it.step(ROUNDS)))
                        .orElseThrow();
        return new Continuation(
                furthest,
                retained.keySet().stream()
                        .filter(rank ->
                                Objects.requireNonNull(retained.get(rank))
                                        .position()
                                        .equals(furthest))
                        .sorted()
                        .toList());
    }

    static List<Outcome> resume(
            TrainingPlan plan, Continuation continuation, Map<Integer, RetainedState> retained)
            throws InterruptedException {
        return replicas()
                .resuming(rank ->
                        new ResumeInstructions(
                                NONE, new SystemBackground(), continuation, retained.get(rank)))
                .train(plan);
    }

    /** Returns the state of the ranks of an undisturbed training at a position. */
    private static Map<Integer, RetainedState> undisturbed(TrainingPlan plan, Position at)
            throws InterruptedException {
        Map<Integer, RetainedState> states = new ConcurrentHashMap<>();
        TestingReplicas replicas = replicas();
        run(
                replicas,
                plan,
                rank ->
                        event -> {
                            if (event.equals(new RoundReached(rank, at.epoch(), at.round()))) {
                                states.put(rank, state(replicas.working().get(rank)));
                            }
                        });
        states.remove(VICTIM);
        return states;
    }

    static RetainedState state(@Nullable RankRunner runner) {
        return Objects.requireNonNull(Objects.requireNonNull(runner).retain());
    }

    private static RetainedPoint held(Map<Integer, RetainedState> retained, int rank) {
        return Objects.requireNonNull(retained.get(rank)).held();
    }

    private static List<Long> steps(List<RunReport> events) {
        return events.stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.steps().stream())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void survivorsContinueAsFromAChosenRecoveryPoint(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        TrainingPlan two = plan(synchronization, optimizer, List.of(53, 46));
        TestingReplicas disturbed = replicas();
        Map<Integer, List<RunReport>> before =
                run(disturbed, three, rank -> rank == VICTIM ? failingAfter(round) : _ -> {});
        Map<Integer, RetainedState> retained = disturbed.retained();
        assertThat(retained).containsOnlyKeys(0, 1);
        Continuation continuation = continuation(retained);
        Position from = continuation.from();
        assertThat(from.epoch()).isEqualTo(2);
        assertThat(from.round()).isBetween(synchronization instanceof LocalSgd ? 3 : 2, round);

        List<Outcome> after = resume(two, continuation, retained);

        Map<Integer, RetainedState> chosen = undisturbed(three, from);
        assertThat(held(retained, continuation.holders().getFirst())).isEqualTo(held(chosen, 0));
        List<Outcome> reference = resume(two, new Continuation(from, List.of(0, 1)), chosen);
        assertThat(after.get(0).parameters())
                .isEqualTo(after.get(1).parameters())
                .isEqualTo(reference.get(0).parameters());
        for (int rank = 0; rank < 2; rank++) {
            assertThat(after.get(rank).epochs())
                    .extracting(EpochFinished::epoch)
                    .containsExactly(2, 3);
            assertThat(
                            Stream.concat(
                                            steps(Objects.requireNonNull(before.get(rank))).stream()
                                                    .filter(it -> it <= from.step(ROUNDS)),
                                            steps(after.get(rank).events()).stream())
                                    .toList())
                    .isEqualTo(LongStream.rangeClosed(1, EPOCHS * ROUNDS).boxed().toList());
        }
    }

    /** The survivors report all samples of the epoch except those of the lost rank. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void samplesOfSurvivorsInTheEpochCount(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        Map<Integer, RetainedState> retained = undisturbed(three, new Position(2, 3, 49));
        int learned = retained.values().stream().mapToInt(RetainedState::samples).sum();

        List<Outcome> after =
                resume(
                        plan(synchronization, optimizer, List.of(53, 46)),
                        continuation(retained),
                        retained);

        assertThat(after.stream().mapToInt(it -> it.epochs().getFirst().samples()).sum())
                .isEqualTo(learned + SAMPLES - continuation(retained).from().sample());
        assertThat(after.getFirst().epochs().getFirst().meanLoss()).isBetween(0.01, 3.0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void joiningRankGetsWeightsAndOptimizerStateFromAPeer(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        TestingReplicas disturbed = replicas();
        run(disturbed, three, rank -> rank == VICTIM ? failingAfter(round) : _ -> {});

        List<Outcome> after =
                resume(three, continuation(disturbed.retained()), disturbed.retained());
        List<Outcome> whole = replicas().train(three);

        assertThat(after.get(2).parameters())
                .isEqualTo(after.get(0).parameters())
                .isEqualTo(after.get(1).parameters());
        assertThat(accuracy(after)).isCloseTo(accuracy(whole), within(0.1));
    }

    private static double accuracy(List<Outcome> outcomes) {
        return Objects.requireNonNull(outcomes.getFirst().epochs().getLast().test()).accuracy();
    }
}
