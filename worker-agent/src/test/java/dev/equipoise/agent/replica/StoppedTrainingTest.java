package dev.equipoise.agent.replica;

import static dev.equipoise.agent.replica.TestingTask.ADAM;
import static dev.equipoise.agent.replica.TestingTask.DATA;
import static dev.equipoise.agent.replica.TestingTask.MOMENTUM;
import static dev.equipoise.agent.replica.TestingTask.ROUNDS;
import static dev.equipoise.agent.replica.TestingTask.SGD;
import static dev.equipoise.agent.replica.TestingTask.localSgd;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankState;
import dev.equipoise.agent.replica.TestingReplicas.Outcome;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Preempted;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A training that was stopped and goes on elsewhere is one that never stopped, to the bit. */
class StoppedTrainingTest {

    private static final int EPOCHS = 4;
    private static final int STOP = 2;
    private static final RunId RUN = RunId.of(new UUID(0, 1));

    /** The last rank has no samples in some rounds, so that it makes fewer steps. */
    private static final List<Integer> SHARES = List.of(75, 20, 4);

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);
    private final AtomicReference<byte[]> file = new AtomicReference<>();

    private static Arguments method(
            String name, Synchronization synchronization, OptimizerSpec optimizer) {
        return Arguments.of(name, synchronization, optimizer);
    }

    static Stream<Arguments> methods() {
        return Stream.of(
                method("bsp", new Synchronization.Bsp(), SGD),
                method("bsp with momentum", new Synchronization.Bsp(), MOMENTUM),
                method("bsp with adam", new Synchronization.Bsp(), ADAM),
                method("local-sgd", localSgd(Momentum.LOCAL), SGD),
                method("local-sgd, momentum averaged", localSgd(Momentum.AVERAGE), MOMENTUM),
                method("local-sgd, adam averaged", localSgd(Momentum.AVERAGE), ADAM),
                method("local-sgd, adam forgotten", localSgd(Momentum.RESET), ADAM));
    }

    private static TrainingPlan plan(Synchronization synchronization, OptimizerSpec optimizer) {
        return TestingTask.plan(synchronization, optimizer, EPOCHS, SHARES);
    }

    /** One rank of a service that keeps checkpoints. */
    private final class Kept implements Checkpoints {

        private final int after;
        private final boolean stopWanted;
        private final boolean takes;
        private int asked;

        private Kept(int after, boolean stopWanted, boolean takes) {
            this.after = after;
            this.stopWanted = stopWanted;
            this.takes = takes;
        }

        @Override
        public int after() {
            return after;
        }

        /** Heard of while the second epoch was under way. */
        @Override
        public ReportReply wish() {
            asked++;
            return stopWanted && asked >= STOP ? ReportReply.PREEMPT : ReportReply.NONE;
        }

        @Override
        public boolean isDueAfter(int epoch) {
            return false;
        }

        @Override
        public boolean keep(int epoch, List<RankState> ranks, List<MemorySegment> tensors) {
            var header =
                    new CheckpointHeader(
                            RUN,
                            1,
                            epoch,
                            ranks.size(),
                            tensors.getFirst().byteSize() / Float.BYTES,
                            tensors.size() - 1);
            try (var stream = new CheckpointStream(header, ranks, tensors)) {
                file.set(stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return takes;
        }

        @Override
        public List<RankState> load(int ranks, List<MemorySegment> tensors) {
            try {
                return new CheckpointReader(RUN, after)
                        .read(new ByteArrayInputStream(file.get()), ranks, tensors);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<String> checksums(Outcome outcome) {
        return outcome.epochs().stream().map(EpochFinished::parameters).toList();
    }

    private static List<Long> steps(Outcome outcome) {
        return outcome.events().stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.steps().stream())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void goesOnToTheSameBits(String name, Synchronization synchronization, OptimizerSpec optimizer)
            throws Exception {
        TrainingPlan plan = plan(synchronization, optimizer);
        List<Outcome> whole = replicas.train(plan);

        // One rank alone has heard of it, and not the one that hands the checkpoint over.
        List<Outcome> first = replicas.with(rank -> new Kept(0, rank == 1, true)).train(plan);
        List<Outcome> second = replicas.with(_ -> new Kept(STOP, false, true)).train(plan);

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(first.get(rank).events().getLast()).isEqualTo(new Preempted(rank, STOP));
            List<String> joined = new ArrayList<>(checksums(first.get(rank)));
            joined.addAll(checksums(second.get(rank)));
            assertThat(joined).isEqualTo(checksums(whole.get(rank))).hasSize(EPOCHS);
            assertThat(second.get(rank).parameters()).isEqualTo(whole.get(rank).parameters());
            assertThat(second.get(rank).epochs())
                    .extracting(EpochFinished::test)
                    .isEqualTo(
                            whole.get(rank).epochs().stream()
                                    .skip(STOP)
                                    .map(EpochFinished::test)
                                    .toList());
        }
    }

    @Test
    void theCurveGoesOnWithoutGapOrRepeat() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);

        Outcome first = replicas.with(_ -> new Kept(0, true, true)).train(plan).getFirst();
        Outcome second = replicas.with(_ -> new Kept(STOP, false, true)).train(plan).getFirst();

        List<Long> steps = new ArrayList<>(steps(first));
        steps.addAll(steps(second));
        assertThat(steps).isEqualTo(LongStream.rangeClosed(1, EPOCHS * ROUNDS).boxed().toList());
        assertThat(firstSeconds(second)).isGreaterThan(lastSeconds(first));
    }

    private static double firstSeconds(Outcome outcome) {
        return seconds(outcome).getFirst();
    }

    private static double lastSeconds(Outcome outcome) {
        return seconds(outcome).getLast();
    }

    private static List<Double> seconds(Outcome outcome) {
        return outcome.events().stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.seconds().stream())
                .toList();
    }

    @Test
    void goesOnTrainingWhereTheCheckpointIsNotTaken() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);
        List<Outcome> whole = replicas.train(plan);

        List<Outcome> refused = replicas.with(_ -> new Kept(0, true, false)).train(plan);

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(checksums(refused.get(rank))).isEqualTo(checksums(whole.get(rank)));
            assertThat(refused.get(rank).events()).noneMatch(AgentEvent::isLast);
        }
    }

    @Test
    void thatItMayBeStoppedChangesNothing() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), ADAM);

        List<Outcome> stoppable = replicas.with(_ -> new Kept(0, false, true)).train(plan);

        assertThat(stoppable.getFirst().parameters())
                .isEqualTo(replicas.train(plan).getFirst().parameters());
        assertThat(file.get()).isNull();
    }
}
