package dev.equipoise.agent.replica;

import static dev.equipoise.agent.replica.TestingTask.ADAM;
import static dev.equipoise.agent.replica.TestingTask.DATA;
import static dev.equipoise.agent.replica.TestingTask.MOMENTUM;
import static dev.equipoise.agent.replica.TestingTask.ROUNDS;
import static dev.equipoise.agent.replica.TestingTask.SAMPLES;
import static dev.equipoise.agent.replica.TestingTask.SGD;
import static dev.equipoise.agent.replica.TestingTask.localSgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.Part;
import dev.equipoise.agent.replica.TestingReplicas.Outcome;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReportReply;
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

/** Ranks that lose one go on from the last round after which all had the same. */
class InterruptedTrainingTest {

    private static final int EPOCHS = 3;
    private static final int VICTIM = 2;

    static final Checkpoints NONE =
            new Checkpoints() {
                @Override
                public int after() {
                    return 0;
                }

                @Override
                public ReportReply wish() {
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
                public boolean keep(int epoch, int ranks, Part part) {
                    throw new AssertionError("nobody wants one");
                }

                @Override
                public long[] load(Part part) {
                    throw new AssertionError("there is none");
                }
            };

    static Stream<Arguments> methods() {
        return Stream.of(
                Arguments.of("bsp", new Synchronization.Bsp(), SGD, 3),
                Arguments.of("bsp with momentum", new Synchronization.Bsp(), MOMENTUM, 3),
                Arguments.of("bsp with adam", new Synchronization.Bsp(), ADAM, 3),
                Arguments.of("bsp, at an epoch's end", new Synchronization.Bsp(), ADAM, ROUNDS),
                Arguments.of("local-sgd", localSgd(Momentum.LOCAL), SGD, 4),
                Arguments.of("local-sgd, averaged", localSgd(Momentum.AVERAGE), MOMENTUM, 5),
                Arguments.of("local-sgd, forgotten", localSgd(Momentum.RESET), ADAM, 4));
    }

    private static TrainingPlan plan(
            Synchronization synchronization, OptimizerSpec optimizer, List<Integer> shares) {
        return TestingTask.plan(synchronization, optimizer, EPOCHS, shares);
    }

    private static TestingReplicas replicas() {
        return new TestingReplicas(DATA, SystemTime::new).resuming(_ -> new Resumption(NONE));
    }

    /** All ranks to their ends; what each has told, whether it came to its end or not. */
    private static Map<Integer, List<AgentEvent>> run(
            TestingReplicas replicas, TrainingPlan plan, IntFunction<Consumer<AgentEvent>> heard)
            throws InterruptedException {
        Map<Integer, List<AgentEvent>> told = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (Channel channel : MemoryChannel.join(plan.division().ranks())) {
            List<AgentEvent> own = new ArrayList<>();
            told.put(channel.rank(), own);
            Consumer<AgentEvent> events = own::add;
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

    /** The rank dies after a round of the second epoch. */
    private static Consumer<AgentEvent> dyingAfter(int round) {
        return event -> {
            if (event.equals(new RoundReached(VICTIM, 2, round))) {
                throw new IllegalStateException("killed");
            }
        };
    }

    /** What others go on with, and who has it. */
    private static Continuation continuation(Map<Integer, Parked> parked) {
        Position furthest =
                parked.values().stream()
                        .map(Parked::position)
                        .max(Comparator.comparingLong(it -> it.step(ROUNDS)))
                        .orElseThrow();
        return new Continuation(
                furthest,
                parked.keySet().stream()
                        .filter(rank ->
                                Objects.requireNonNull(parked.get(rank))
                                        .position()
                                        .equals(furthest))
                        .sorted()
                        .toList());
    }

    private static List<Outcome> goOn(
            TrainingPlan plan, Continuation continuation, Map<Integer, Parked> parked)
            throws InterruptedException {
        return replicas()
                .resuming(rank -> new Resumption(NONE, continuation, parked.get(rank)))
                .train(plan);
    }

    /** What ranks of a training that nobody disturbs have at a moment. */
    private static Map<Integer, Parked> undisturbed(TrainingPlan plan, Position at)
            throws InterruptedException {
        Map<Integer, Parked> states = new ConcurrentHashMap<>();
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

    private static Parked state(@Nullable Replica replica) {
        return Objects.requireNonNull(Objects.requireNonNull(replica).park());
    }

    private static Held held(Map<Integer, Parked> parked, int rank) {
        return Objects.requireNonNull(parked.get(rank)).held();
    }

    private static List<Long> steps(List<AgentEvent> events) {
        return events.stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.steps().stream())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void survivorsGoOnAsIfThatMomentHadBeenChosen(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        TrainingPlan two = plan(synchronization, optimizer, List.of(53, 46));
        TestingReplicas disturbed = replicas();
        Map<Integer, List<AgentEvent>> before =
                run(disturbed, three, rank -> rank == VICTIM ? dyingAfter(round) : _ -> {});
        Map<Integer, Parked> parked = disturbed.parked();
        assertThat(parked).containsOnlyKeys(0, 1);
        Continuation continuation = continuation(parked);
        Position from = continuation.from();
        assertThat(from.epoch()).isEqualTo(2);
        assertThat(from.round()).isBetween(synchronization instanceof LocalSgd ? 3 : 2, round);

        List<Outcome> after = goOn(two, continuation, parked);

        Map<Integer, Parked> chosen = undisturbed(three, from);
        assertThat(held(parked, continuation.holders().getFirst())).isEqualTo(held(chosen, 0));
        List<Outcome> reference = goOn(two, new Continuation(from, List.of(0, 1)), chosen);
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

    /** Of the epoch in which it happened the ranks tell all but what the lost one has learnt. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void whatSurvivorsHadLearntOfTheEpochCounts(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        Map<Integer, Parked> parked = undisturbed(three, new Position(2, 3, 49));
        int learnt = parked.values().stream().mapToInt(Parked::samples).sum();

        List<Outcome> after =
                goOn(
                        plan(synchronization, optimizer, List.of(53, 46)),
                        continuation(parked),
                        parked);

        assertThat(after.stream().mapToInt(it -> it.epochs().getFirst().samples()).sum())
                .isEqualTo(learnt + SAMPLES - continuation(parked).from().sample());
        assertThat(after.getFirst().epochs().getFirst().meanLoss()).isBetween(0.01, 3.0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void aNewcomerGetsWeightsAndOptimizerFromAPeer(
            String name, Synchronization synchronization, OptimizerSpec optimizer, int round)
            throws Exception {
        TrainingPlan three = plan(synchronization, optimizer, List.of(40, 35, 24));
        TestingReplicas disturbed = replicas();
        run(disturbed, three, rank -> rank == VICTIM ? dyingAfter(round) : _ -> {});

        List<Outcome> after = goOn(three, continuation(disturbed.parked()), disturbed.parked());
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
