package dev.equipoise.agent.training;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingAssignmentRunnerTest {

    private static final int ROUNDS = 8;
    private static final Method AD_PSGD =
            new Method(
                    new Synchronization.AdPsgd(),
                    new Topology.Gossip(
                            new Topology.Partners.RandomMatching(),
                            Topology.Payload.WEIGHTS,
                            Topology.Mixing.UNIFORM,
                            0),
                    new Compression.None());

    private static final Method BSP =
            new Method(
                    new Synchronization.Bsp(),
                    Topology.AllReduce.by(Topology.Algorithm.RING),
                    new Compression.None());

    private final List<Channel> channels = MemoryChannel.join(2);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir private Path folder;

    @AfterEach
    void stop() {
        threads.shutdownNow();
        channels.forEach(Channel::close);
    }

    /** The passive rank of two, which would otherwise answer until the active one has ended. */
    @Test
    void failedRankSendsNoWeightsInTheBackground() throws Exception {
        var failed = new CountDownLatch(1);

        Future<?> passive =
                start(
                        1,
                        event -> {
                            if (reaches(event, 2)) {
                                throw new IllegalStateException("this rank fails");
                            }
                        },
                        failed::countDown);
        Future<?> active =
                start(
                        0,
                        event -> {
                            if (reaches(event, 3)) {
                                awaitEnd(failed);
                            }
                        },
                        () -> {});

        assertThat(passive)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("this rank fails");
        assertThat(active)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(AssignmentFailed.class)
                .withMessageContaining("rank 0, epoch 1, round ");
    }

    private static boolean reaches(RunReport event, int round) {
        return event instanceof RoundReached reached && reached.round() == round;
    }

    private static void awaitEnd(CountDownLatch failed) {
        try {
            assertThat(failed.await(Patience.SECONDS, TimeUnit.SECONDS))
                    .as("the passive rank ends")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Future<?> start(int rank, Consumer<RunReport> events, Runnable whenDone) {
        TrainingAssignmentRunner training = runner();
        return threads.submit(() -> {
            try {
                training.run(assignment(rank), events, new RunNotes(rank, events), null);
                return true;
            } finally {
                whenDone.run();
            }
        });
    }

    private TrainingAssignmentRunner runner() {
        return runner(assignment -> channels.get(assignment.rank()));
    }

    private TrainingAssignmentRunner runner(Rendezvous rendezvous) {
        var time = new TestingTime();
        return new TrainingAssignmentRunner(
                new DatasetRegistry(
                        new DatasetSettings(
                                List.of(folder), folder, "npm", "apt-get", Duration.ofSeconds(1))),
                rendezvous,
                new Throttle(1, 1, time),
                time,
                TestingReplicas.BACKEND,
                new DivergedWeightsStore(folder));
    }

    /** Otherwise the service would give this worker a cooldown for the fault of its peer. */
    @Test
    void invalidFrameOfAPeerIsNoFaultOfThisWorker() {
        Method method =
                TestingMethods.local(1, TestingMethods.RING, new Compression.TopK(0.2, true));
        Future<Outcome> hostile =
                threads.submit(() ->
                        train(
                                runner(_ -> new PoisonedChannel(channels.get(1), Float.NaN)),
                                with(assignment(1), method)));

        assertThatExceptionOfType(AssignmentFailed.class)
                .isThrownBy(() -> train(runner(), with(assignment(0), method)))
                .satisfies(failure -> {
                    Outcome.Failed event = failure.toEvent();
                    assertThat(event.code()).isEqualTo("peer-lost");
                    assertThat(event.message()).contains("a value must be finite, but was NaN");
                });
        assertThat(hostile).failsWithin(PATIENCE);
    }

    private static Outcome train(TrainingAssignmentRunner runner, Assignment.Training assignment)
            throws InterruptedException {
        return runner.run(assignment, _ -> {}, new RunNotes(assignment.rank(), _ -> {}), null);
    }

    private static Assignment.Training with(Assignment.Training assignment, Method method) {
        return new Assignment.Training(
                assignment.id(),
                assignment.generation(),
                assignment.run(),
                assignment.rank(),
                assignment.peers(),
                "",
                TestingPlan.with(assignment.plan(), method));
    }

    /** The holder is lost before it has sent its state to the other rank, which joins. */
    @Test
    void rankThatIsInterruptedBeforeItHasItsStateHoldsNone() throws Exception {
        Continuation continuation = new Continuation(new Position(1, 3, 6), List.of(0));
        Assignment.Training first = assignment(1);
        Assignment.Training joining =
                new Assignment.Training(
                        first.id(),
                        2,
                        first.run(),
                        1,
                        first.peers(),
                        "",
                        TestingPlan.with(first.plan(), BSP),
                        new Checkpointing(0, 0, 0),
                        continuation);
        channels.getFirst().close();

        Outcome last =
                runner().run(
                                joining,
                                _ -> {},
                                new RunNotes(1, _ -> {}),
                                InterruptedTrainingTest.NONE);

        assertThat(last).isEqualTo(new Outcome.Interrupted(1, null, List.of()));
    }

    private static Assignment.Training assignment(int rank) {
        TrainingPlan plan =
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(2, 2, 1), 2, 2 * ROUNDS, 1, 2 * ROUNDS),
                        TestingPlan.tiny(2).network(),
                        new OptimizerSpec.Sgd(0.1),
                        EpochDivision.of(List.of(ROUNDS, ROUNDS), ROUNDS));
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                1,
                RunId.of(UUID.randomUUID()),
                rank,
                List.of(WorkerId.of(new UUID(0, 1)), WorkerId.of(new UUID(0, 2))),
                "",
                TestingPlan.with(plan, AD_PSGD));
    }
}
