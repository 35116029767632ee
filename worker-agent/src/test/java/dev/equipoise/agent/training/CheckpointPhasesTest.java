package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static dev.equipoise.agent.training.TestingTask.SAMPLES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.instrument.PhaseClock;
import dev.equipoise.agent.instrument.RunPhase;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Run phases of real ranks on a virtual clock, on which only rounds (3 ms), evaluations (1 ms) and
 * uploads (30 ms on rank 0, 1 ms on the others) take time.
 */
class CheckpointPhasesTest {

    private static final int RANKS = 3;
    private static final int EPOCHS = 4;

    private static final long MILLI = 1_000_000;
    private static final long UPLOAD = 30 * MILLI;
    private static final double TRAINING = seconds(EPOCHS * ROUNDS * 3);
    private static final double TOLERANCE = 1e-12;

    private static final TrainingPlan PLAN =
            TestingTask.plan(new Synchronization.Bsp(), MOMENTUM, EPOCHS, List.of(33, 33, 33));

    /** Training of one rank. */
    private record Trained(List<EpochFinished> epochs, PhasesElapsed elapsed, List<Part> stored) {}

    /** Stored part of a checkpoint. */
    private record Part(int epoch, String weights) {}

    @Test
    void checkpointsLeaveTheTrainingSecondsOfAllRanksUnchanged() {
        List<Trained> without = train(0);
        List<Trained> with = train(1);

        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(with.get(rank).epochs())
                    .hasSize(EPOCHS)
                    .isEqualTo(without.get(rank).epochs());
            assertThat(with.get(rank).elapsed().phases().trainingSeconds())
                    .isEqualTo(without.get(rank).elapsed().phases().trainingSeconds())
                    .isEqualTo(TRAINING);
        }
    }

    /**
     * An epoch with its evaluation takes 19 ms, so that each checkpoint but the first waits 11 ms
     * for the upload before it, and rank 0 as long again for the last upload.
     */
    @Test
    void checkpointPhaseIsTheWaitForTheUploadBefore() {
        assertThat(train(1))
                .extracting(it -> it.elapsed().phases())
                .containsExactly(phases(33), phases(22), phases(22));
        assertThat(train(0)).extracting(it -> it.elapsed().phases()).containsOnly(phases(0));
    }

    private static RunPhases phases(int checkpointMillis) {
        return new RunPhases(
                0, 0, 0, 0, 0, TRAINING, seconds(EPOCHS), seconds(checkpointMillis), 0);
    }

    private static double seconds(int millis) {
        return millis / 1e3;
    }

    @Test
    void phasesSumToTheDuration() {
        PhasesElapsed elapsed = train(1).getFirst().elapsed();

        assertThat(elapsed.elapsedSeconds()).isEqualTo(seconds(EPOCHS * ROUNDS * 3 + EPOCHS + 33));
        assertThat(elapsed.phases().sum()).isEqualTo(elapsed.elapsedSeconds(), within(TOLERANCE));
    }

    @Test
    void trainingEndsWithAllPartsStored() {
        assertThat(train(1))
                .allSatisfy(it ->
                        assertThat(it.stored()).extracting(Part::epoch).containsExactly(1, 2, 3));
        assertThat(train(2))
                .allSatisfy(
                        it -> assertThat(it.stored()).extracting(Part::epoch).containsExactly(2));
    }

    /** The upload ends when the next epoch has changed the weights. */
    @Test
    void partHasTheWeightsOfItsEpoch() {
        Trained first = train(1).getFirst();

        assertThat(first.stored())
                .isEqualTo(
                        first.epochs().stream()
                                .limit(EPOCHS - 1)
                                .map(it -> new Part(it.epoch(), it.parameters()))
                                .toList());
    }

    @Test
    void rankThatLosesAnotherStoresItsPartFirst() {
        List<Trained> ranks = train(1, new RoundReached(RANKS - 1, 2, 1));

        assertThat(ranks).allSatisfy(it -> assertThat(it.epochs()).hasSize(1));
        Trained first = ranks.getFirst();
        assertThat(first.stored())
                .containsExactly(new Part(1, first.epochs().getFirst().parameters()));
        assertThat(first.elapsed().phases().checkpointSeconds()).isPositive();
    }

    private static List<Trained> train(int every) {
        return train(every, null);
    }

    /**
     * Trains all ranks.
     *
     * @param last event with which one rank fails; null for none
     */
    private static List<Trained> train(int every, @Nullable RunReport last) {
        try (var cluster = new VirtualCluster(RANKS, LinkModel.uniform(0, 0), 1)) {
            return cluster.run(
                    IntStream.range(0, RANKS)
                            .<Callable<Trained>>mapToObj(
                                    rank -> () -> train(cluster, rank, every, last))
                            .toList());
        }
    }

    private static Trained train(
            VirtualCluster cluster, int rank, int every, @Nullable RunReport last)
            throws Exception {
        Time time = cluster.time(rank);
        PhaseClock phases = PhaseClock.start(time);
        var checkpoints = new SlowCheckpoints(time, every);
        List<RunReport> events = new ArrayList<>();
        Arena memory = Arena.ofAuto();
        var objective = new Objective(PLAN.loss(), DATA.targets());
        try (Network network = Network.of(PLAN.network(), objective, TestingReplicas.BACKEND)) {
            network.initialize(PLAN.seed());
            network.dropoutFrom(PLAN.seed(), rank);
            phases.enter(RunPhase.COORDINATION);
            var runner =
                    new RankRunner(
                            PLAN,
                            epoch -> Permutation.of(PLAN.seed(), epoch, SAMPLES),
                            new SlowLearner(learner(network, time, memory), time, rank),
                            null,
                            new RankEnvironment(
                                    cluster.channel(rank),
                                    time,
                                    cluster.background(rank),
                                    ExecutionOrder.FREE),
                            new LastFiniteWeights(
                                    network.parameterCount(), memory, (_, _) -> "kept"),
                            new ResumeInstructions(checkpoints, cluster.background(rank)),
                            phases,
                            memory);
            runner.train(event -> {
                events.add(event);
                if (event.equals(last)) {
                    throw new IllegalStateException("killed");
                }
            });
        } catch (ChannelFailed | IllegalStateException e) {
            assertThat(last).as(e.toString()).isNotNull();
            cluster.channel(rank).close();
        }
        return new Trained(
                events.stream()
                        .filter(EpochFinished.class::isInstance)
                        .map(EpochFinished.class::cast)
                        .toList(),
                phases.report(rank),
                List.copyOf(checkpoints.stored));
    }

    private static Learner learner(Network network, Time time, Arena memory) {
        return new LocalLearner(
                Gradients.of(PLAN, network, DATA, memory), 1, _ -> new Throttle(1, 1, time));
    }

    /** Takes 1 ms times the rank's number, from 1, for a gradient, and 1 ms for a score. */
    private record SlowLearner(Learner learner, Time time, int rank) implements Learner {

        @Override
        public MemorySegment weights() {
            return learner.weights();
        }

        @Override
        public MemorySegment gradient() {
            return learner.gradient();
        }

        @Override
        public Optional<Descent> descent() {
            return learner.descent();
        }

        @Override
        public long dropoutState() {
            return learner.dropoutState();
        }

        @Override
        public void dropoutFrom(long state) {
            learner.dropoutFrom(state);
        }

        @Override
        public void begin(int epoch) {
            learner.begin(epoch);
        }

        @Override
        public double learn(
                int[] order, Slice slice, Consumer<Minibatch> listener, GradientListener progress)
                throws InterruptedException {
            time.sleep((rank + 1) * MILLI);
            return learner.learn(order, slice, listener, progress);
        }

        @Override
        public void warmUp(int[] order, Slice slice) throws InterruptedException {
            learner.warmUp(order, slice);
        }

        @Override
        public int testSamples() {
            return learner.testSamples();
        }

        @Override
        public Score score(MemorySegment scored, int from, int to) throws InterruptedException {
            time.sleep(MILLI);
            return learner.score(scored, from, to);
        }
    }

    /** Checkpoints whose upload takes time. */
    private static final class SlowCheckpoints implements Checkpoints {

        private final Time time;
        private final int every;
        private final List<Part> stored = new ArrayList<>();

        SlowCheckpoints(Time time, int every) {
            this.time = time;
            this.every = every;
        }

        @Override
        public int after() {
            return 0;
        }

        @Override
        public int parts() {
            return 0;
        }

        @Override
        public ReportReply reply() {
            return ReportReply.NONE;
        }

        @Override
        public boolean isDueAfter(int epoch) {
            return every > 0 && epoch % every == 0;
        }

        @Override
        public boolean keep(int epoch, int ranks, RankStatePart part) {
            time.sleep(part.rank() == 0 ? UPLOAD : MILLI);
            stored.add(
                    new Part(
                            epoch,
                            part.common().isEmpty()
                                    ? "none"
                                    : WeightChecksum.of(part.common().getFirst())));
            return true;
        }

        @Override
        public long[] load(RankStatePart part) {
            throw new AssertionError("this run has no checkpoint");
        }
    }
}
