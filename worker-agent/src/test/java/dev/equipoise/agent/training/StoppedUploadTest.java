package dev.equipoise.agent.training;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelKeeping;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.testing.Patience;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A training that stops before its end does not wait for the upload of its best model: the service
 * would miss the rank, or the workers would be free too late.
 */
class StoppedUploadTest {

    private static final int ROUNDS = 8;
    private static final int EPOCHS = 3;

    private final List<Channel> channels = MemoryChannel.join(2);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final StuckStore store = new StuckStore();

    @TempDir private Path folder;

    @AfterEach
    void stop() {
        threads.shutdownNow();
        channels.forEach(Channel::close);
    }

    /** Service that answers no upload. */
    private static final class StuckStore implements ModelStore {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final Semaphore answers = new Semaphore(0);

        /** Epochs of the interrupted uploads. */
        private final List<Integer> interrupted = new CopyOnWriteArrayList<>();

        @Override
        public ModelInstructions instructions() {
            return new ModelInstructions(
                    new ModelKeeping(
                            ModelKeeping.Kept.BEST,
                            ModelKeeping.WeightSource.MEAN,
                            ModelKeeping.Criterion.LOSS,
                            null),
                    null);
        }

        @Override
        public ModelStore naming(List<String> classNames) {
            return this;
        }

        @Override
        public void store(int rank, ModelScore score, MemorySegment weights)
                throws InterruptedException {
            begun.countDown();
            try {
                answers.acquire();
            } catch (InterruptedException e) {
                interrupted.add(score.epoch());
                throw e;
            }
        }

        @Override
        public void loadInitial(MemorySegment weights) {
            throw new AssertionError("the run begins with random weights");
        }

        private void awaitUpload() {
            try {
                assertThat(begun.await(Patience.SECONDS, TimeUnit.SECONDS))
                        .as("an upload begins")
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void survivorReportsItsInterruptionDuringAnUpload() {
        Future<Outcome> survivor = start(0, InterruptedTrainingTest.NONE, _ -> {});
        Future<Outcome> lost =
                start(
                        1,
                        InterruptedTrainingTest.NONE,
                        event -> {
                            if (event.equals(new RoundReached(1, 2, 1))) {
                                store.awaitUpload();
                                throw new IllegalStateException("this rank fails");
                            }
                        });

        assertThat(lost).failsWithin(PATIENCE);
        assertThat(survivor).succeedsWithin(PATIENCE).isInstanceOf(Outcome.Interrupted.class);
        assertThat(store.interrupted).containsExactly(1);
    }

    @Test
    void preemptedRankStopsDuringAnUpload() {
        var checkpoints = new TestingCheckpoints();
        Consumer<RunReport> afterUpload =
                event -> {
                    if (event instanceof RoundReached reached && reached.epoch() == 2) {
                        store.awaitUpload();
                    }
                };

        Future<Outcome> first = start(0, checkpoints.stopping(), afterUpload);
        Future<Outcome> second = start(1, checkpoints.stopping(), afterUpload);

        int stop = TestingCheckpoints.STOP;
        assertThat(first).succeedsWithin(PATIENCE).isEqualTo(new Outcome.Preempted(0, stop));
        assertThat(second).succeedsWithin(PATIENCE).isEqualTo(new Outcome.Preempted(1, stop));
        assertThat(store.interrupted).containsExactly(1);
    }

    private Future<Outcome> start(int rank, Checkpoints checkpoints, Consumer<RunReport> events) {
        var time = new TestingTime();
        var runner =
                new TrainingAssignmentRunner(
                        new DatasetRegistry(
                                new DatasetSettings(
                                        List.of(folder),
                                        folder,
                                        "npm",
                                        "apt-get",
                                        Duration.ofSeconds(1))),
                        assignment -> channels.get(assignment.rank()),
                        new Throttle(1, 1, time),
                        time,
                        TestingReplicas.BACKEND,
                        new DivergedWeightsStore(folder));
        return threads.submit(() ->
                runner.run(
                        assignment(rank), events, new RunNotes(rank, _ -> {}), checkpoints, store));
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
                TestingPlan.with(plan, EPOCHS));
    }
}
