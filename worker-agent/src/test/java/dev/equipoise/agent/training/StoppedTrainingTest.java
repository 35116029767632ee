package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.ADAM;
import static dev.equipoise.agent.training.TestingTask.AUGMENTED;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static dev.equipoise.agent.training.TestingTask.localSgd;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A training that stops and resumes elsewhere equals one that never stopped, to the bit. */
class StoppedTrainingTest {

    private static final int EPOCHS = 4;
    private static final int STOP = 2;
    private static final Compression NONE = new Compression.None();
    private static final Synchronization ASYNC =
            new Synchronization.Async(
                    null, Synchronization.Weighting.WEIGHTED, new StalenessCorrection.None());
    private static final Topology RING = Topology.AllReduce.by(Topology.Algorithm.RING);
    private static final RunId RUN = RunId.of(new UUID(0, 1));

    /** The last rank has no samples in some rounds, so that it makes fewer steps. */
    private static final List<Integer> SHARES = List.of(75, 20, 4);

    private final TestingReplicas replicas = new TestingReplicas(AUGMENTED, SystemTime::new);
    private final Map<Integer, byte[]> parts = new ConcurrentHashMap<>();

    private static Arguments method(
            String name, Synchronization synchronization, OptimizerSpec optimizer) {
        return method(name, new Method(synchronization, RING, NONE), optimizer);
    }

    private static Arguments method(String name, Method method, OptimizerSpec optimizer) {
        int servers = method.topology().servers();
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.addAll(SHARES);
        return Arguments.of(name, TestingTask.plan(method, optimizer, EPOCHS, shares));
    }

    private static Arguments coded(Compression compression) {
        return method(
                "bsp by " + compression,
                new Method(new Synchronization.Bsp(), RING, compression),
                MOMENTUM);
    }

    private static Arguments gossip(
            Partners partners,
            Payload payload,
            Mixing mixing,
            int globalAverageEvery,
            Compression compression) {
        var topology = new Gossip(partners, payload, mixing, globalAverageEvery);
        return method(
                "%s by %s".formatted(topology, compression),
                new Method(local(1, Order.STEP_THEN_AVERAGE), topology, compression),
                MOMENTUM);
    }

    private static Arguments served(
            Synchronization synchronization, int servers, Compression compression) {
        return method(
                "%s over %d servers by %s".formatted(synchronization, servers, compression),
                new Method(
                        synchronization,
                        new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN),
                        compression),
                MOMENTUM);
    }

    private static LocalSgd local(int period, Order order) {
        return new LocalSgd(period, order, Momentum.LOCAL);
    }

    /** Returns methods that do not depend on which rank is first. */
    static Stream<Arguments> methods() {
        return Stream.of(
                method("bsp", new Synchronization.Bsp(), SGD),
                method("bsp with momentum", new Synchronization.Bsp(), MOMENTUM),
                method("bsp overlapped", new Synchronization.Bsp(true, 0.0002, 0.0002), ADAM),
                method("bsp with adam", new Synchronization.Bsp(), ADAM),
                method("local-sgd", localSgd(Momentum.LOCAL), SGD),
                method("local-sgd, momentum averaged", localSgd(Momentum.AVERAGE), MOMENTUM),
                method("local-sgd, adam averaged", localSgd(Momentum.AVERAGE), ADAM),
                method("local-sgd, adam forgotten", localSgd(Momentum.RESET), ADAM),
                method("local-sgd, adam of its own", localSgd(Momentum.LOCAL), ADAM),
                method("local-sgd beyond epochs", local(4, Order.STEP_THEN_AVERAGE), MOMENTUM),
                method("local-sgd, average first", local(2, Order.AVERAGE_THEN_STEP), MOMENTUM),
                method(
                        "local-sgd by top-k",
                        new Method(
                                local(4, Order.STEP_THEN_AVERAGE),
                                RING,
                                new Compression.TopK(0.2, true)),
                        MOMENTUM),
                method("diloco", new Synchronization.DiLoCo(4, 0.7, 0.5), ADAM),
                coded(new Compression.Threshold(0.001, true)),
                coded(new Compression.AdaptiveThreshold(0.2, true)),
                coded(new Compression.TopK(0.2, true)),
                coded(new Compression.Qsgd(4, 32, true)),
                coded(new Compression.Qsgd(4, 32, false)),
                coded(new Compression.Sign(true)),
                coded(new Compression.RandomK(0.3, true)),
                coded(new Compression.RandomK(0.5, false)),
                coded(new Compression.PowerSgd(2)),
                gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM, 0, NONE),
                gossip(new Partners.RandomMatching(), Payload.UPDATE, Mixing.UNIFORM, 4, NONE),
                gossip(
                        new Partners.Dissemination(),
                        Payload.UPDATE,
                        Mixing.UNIFORM,
                        0,
                        new Compression.TopK(0.2, true)),
                gossip(new Partners.Linear(true), Payload.WEIGHTS, Mixing.METROPOLIS, 5, NONE),
                gossip(
                        new Partners.Fixed(1),
                        Payload.WEIGHTS,
                        Mixing.UNIFORM,
                        0,
                        new Compression.TopK(0.3, false)),
                gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM, 0, NONE),
                served(new Synchronization.Bsp(), 1, NONE),
                served(new Synchronization.Bsp(), 2, new Compression.TopK(0.2, true)),
                served(localSgd(Momentum.LOCAL), 1, new Compression.Sign(true)),
                servedAlone(ASYNC, 1, NONE),
                servedAlone(ASYNC, 2, new Compression.TopK(0.3, true)),
                servedAlone(stale(false), 1, NONE),
                servedAlone(stale(true), 2, NONE));
    }

    private static Synchronization stale(boolean barrier) {
        return new Synchronization.StaleSynchronous(2, barrier, new StalenessCorrection.None());
    }

    /** Returns a method with one replica, whose gradients have one order. */
    private static Arguments servedAlone(
            Synchronization synchronization, int servers, Compression compression) {
        var method =
                new Method(
                        synchronization,
                        new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN),
                        compression);
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.add(99);
        return Arguments.of(
                "alone at %d servers, %s by %s".formatted(servers, synchronization, compression),
                TestingTask.plan(method, MOMENTUM, EPOCHS, shares));
    }

    private static TrainingPlan plan(Synchronization synchronization, OptimizerSpec optimizer) {
        return TestingTask.plan(synchronization, optimizer, EPOCHS, SHARES);
    }

    /** Checkpoints of one rank at a service that stores them. */
    private final class StoredCheckpoints implements Checkpoints {

        private final int after;
        private final boolean stopWanted;
        private final boolean takes;
        private int asked;

        private StoredCheckpoints(int after, boolean stopWanted, boolean takes) {
            this.after = after;
            this.stopWanted = stopWanted;
            this.takes = takes;
        }

        @Override
        public int after() {
            return after;
        }

        /** Requests a stop during the second epoch. */
        @Override
        public ReportReply reply() {
            asked++;
            return stopWanted && asked >= STOP ? new ReportReply(true, false) : ReportReply.NONE;
        }

        @Override
        public boolean isDueAfter(int epoch) {
            return false;
        }

        @Override
        public int parts() {
            return parts.size();
        }

        @Override
        public boolean keep(int epoch, int ranks, RankStatePart part) {
            var header = part.header(RUN, 1, epoch, ranks);
            try (var stream = new CheckpointStream(header, part)) {
                parts.put(part.rank(), stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return takes;
        }

        @Override
        public long[] load(RankStatePart part) {
            try {
                return new CheckpointReader(RUN, after)
                        .read(
                                new ByteArrayInputStream(requireNonNull(parts.get(part.rank()))),
                                parts(),
                                part);
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
    void resumesWithTheSameBits(String name, TrainingPlan plan) throws Exception {
        List<Outcome> whole = replicas.train(plan);

        // Only one rank has the request, and it is not the one that stores the common tensors.
        List<Outcome> first =
                replicas.with(rank -> new StoredCheckpoints(0, rank == 1, true)).train(plan);
        List<Outcome> second =
                replicas.with(_ -> new StoredCheckpoints(STOP, false, true)).train(plan);

        for (int rank = 0; rank < plan.division().ranks(); rank++) {
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
    void curveContinuesWithoutGapOrRepetition() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);

        Outcome first =
                replicas.with(_ -> new StoredCheckpoints(0, true, true)).train(plan).getFirst();
        Outcome second =
                replicas.with(_ -> new StoredCheckpoints(STOP, false, true)).train(plan).getFirst();

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
    void trainsOnWhenTheCheckpointIsNotTaken() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);
        List<Outcome> whole = replicas.train(plan);

        List<Outcome> refused =
                replicas.with(_ -> new StoredCheckpoints(0, true, false)).train(plan);

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(checksums(refused.get(rank))).isEqualTo(checksums(whole.get(rank)));
            assertThat(refused.get(rank).events()).noneMatch(Preempted.class::isInstance);
        }
    }

    @Test
    void trainsOnWhenOnePartIsNotTaken() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);

        List<Outcome> refused =
                replicas.with(rank -> new StoredCheckpoints(0, true, rank != 1)).train(plan);

        assertThat(refused).allSatisfy(it -> assertThat(it.epochs()).hasSize(EPOCHS));
    }

    static Stream<Arguments> methodsThatAllowJoining() {
        return methods()
                .filter(it -> !String.valueOf(it.get()[0]).contains("servers"))
                .filter(it ->
                        it.get()[1] instanceof TrainingPlan plan
                                && !plan.method().keepsCopiesOfNeighbors());
    }

    /** Residuals of ranks that no longer exist are lost, and joining ranks start without any. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsThatAllowJoining")
    void resumesWithMoreOrFewerRanks(String name, TrainingPlan plan) throws Exception {
        replicas.with(_ -> new StoredCheckpoints(0, true, true)).train(plan);

        for (List<Integer> shares : List.of(List.of(40, 30, 20, 9), List.of(60, 39))) {
            var other = TestingTask.plan(plan.method(), plan.optimizer(), EPOCHS, shares);
            List<Outcome> outcomes =
                    replicas.with(_ -> new StoredCheckpoints(STOP, false, true)).train(other);

            assertThat(outcomes)
                    .allSatisfy(it ->
                            assertThat(it.epochs())
                                    .extracting(EpochFinished::epoch)
                                    .containsExactly(3, 4));
            if (plan.method().replicatesState(ROUNDS, plan.optimizer())) {
                assertThat(outcomes)
                        .extracting(Outcome::parameters)
                        .containsOnly(outcomes.getFirst().parameters());
            }
        }
    }

    @Test
    void supportForStoppingChangesNothing() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), ADAM);

        List<Outcome> stoppable =
                replicas.with(_ -> new StoredCheckpoints(0, false, true)).train(plan);

        assertThat(stoppable.getFirst().parameters())
                .isEqualTo(replicas.train(plan).getFirst().parameters());
        assertThat(parts).isEmpty();
    }
}
