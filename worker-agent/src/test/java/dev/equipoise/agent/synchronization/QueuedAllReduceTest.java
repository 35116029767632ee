package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization.Async;
import dev.equipoise.protocol.Synchronization.OwnStep;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Follows two replicas through three rounds on a virtual clock. Rank 0 computes a round in 1 us,
 * rank 1 in 3 us, and a frame takes 1 us. The part of rank i in the sum of round k is 2^(3 i + k),
 * the rate is 1, and weights begin at 0: the negated weight is the set of the parts applied.
 *
 * <p>A rank begins the sum of a round when it has computed the round and its sum before is
 * complete, and completes it then or when the frame of the other rank arrives:
 *
 * <pre>
 * sum                    0     1     2
 * begins on rank 0       1     4     7      if rank 0 computes ahead
 * begins on rank 1       3     6     9
 * complete on rank 0     4     7    10
 * complete on rank 1     3     6     9
 * </pre>
 */
class QueuedAllReduceTest {

    private static final int ROUNDS = 3;
    private static final long UNIT = 1000;
    private static final long[] COMPUTE = {1, 3};
    private static final int ALL = 63;

    /** Parts applied to the weights at a time, in us. */
    private record Applied(long at, int parts) {}

    /** State of a replica in a checkpoint. */
    private record Stored(float weight, List<Float> vectors, List<Long> numbers) {}

    private static List<Applied> applied(int... timesAndParts) {
        return IntStream.range(0, timesAndParts.length / 2)
                .mapToObj(i -> new Applied(timesAndParts[2 * i], timesAndParts[2 * i + 1]))
                .toList();
    }

    private static TrainingPlan plan(int inFlight, OwnStep own, Weighting weighting) {
        var async = new Async(null, weighting, new StalenessCorrection.None(), inFlight, own);
        return TestingPlan.with(
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(2, 2, 1), 2, 2 * ROUNDS, 1, 2 * ROUNDS),
                        new Architecture(
                                "tiny",
                                new Shape.Image(2, 2, 1),
                                List.of(new Layer.Flatten(), new Layer.Dense(2))),
                        new OptimizerSpec.Sgd(1),
                        EpochDivision.of(List.of(ROUNDS, ROUNDS), ROUNDS)),
                new Method(
                        async,
                        Topology.AllReduce.by(Topology.Algorithm.RECURSIVE_DOUBLING),
                        new Compression.None()));
    }

    /** A replica with one weight. */
    private static final class Replica {

        private final VirtualCluster cluster;
        private final int rank;
        private final Time time;
        private final MemorySegment weight = Arena.ofAuto().allocate(JAVA_FLOAT);
        private final MemorySegment gradient = Arena.ofAuto().allocate(JAVA_FLOAT);
        private final Synchronizer synchronizer;
        private final Instruments instruments;
        private final RankStateRegistry registry = new RankStateRegistry();
        private final List<Applied> applied = new ArrayList<>();
        private int carried;
        private Stored stored = new Stored(0, List.of(), List.of());

        Replica(
                VirtualCluster cluster,
                TrainingPlan plan,
                Channel channel,
                BackgroundThread background) {
            this.cluster = cluster;
            this.rank = channel.rank();
            this.time = cluster.time(rank);
            this.instruments = new Instruments(time, channel, 0);
            this.synchronizer =
                    Synchronizers.of(
                            RankContext.of(
                                    plan,
                                    new RankEnvironment(
                                            channel, time, background, ExecutionOrder.FREE),
                                    instruments,
                                    weight,
                                    Optional.empty(),
                                    registry,
                                    Arena.ofAuto()));
        }

        void train() {
            for (int round = 0; round < ROUNDS; round++) {
                synchronizer.begin();
                note();
                cluster.compute(COMPUTE[rank] * UNIT, _ -> 0);
                gradient.set(JAVA_FLOAT, 0, 2f * (1 << (3 * rank + round)));
                synchronizer.update(gradient, 1);
            }
            synchronizer.settle();
            note();
        }

        /** Returns the sum of the parts that the rank carries into the next epoch. */
        int carried() {
            return registry.vectors().stream().mapToInt(it -> (int) it.get(JAVA_FLOAT, 0)).sum();
        }

        void store() {
            long[] numbers = new long[registry.count()];
            registry.count(numbers);
            stored =
                    new Stored(
                            weight.get(JAVA_FLOAT, 0),
                            registry.vectors().stream().map(it -> it.get(JAVA_FLOAT, 0)).toList(),
                            LongStream.of(numbers).boxed().toList());
        }

        void restore(Stored state) {
            weight.set(JAVA_FLOAT, 0, state.weight());
            for (int i = 0; i < state.vectors().size(); i++) {
                registry.vectors().get(i).set(JAVA_FLOAT, 0, state.vectors().get(i));
            }
            registry.restore(state.numbers().stream().mapToLong(Long::longValue).toArray());
        }

        void note() {
            applied.add(new Applied(time.nanoTime() / UNIT, (int) -weight.get(JAVA_FLOAT, 0)));
        }
    }

    /** Trains an epoch and begins the next one. */
    private static List<Replica> train(TrainingPlan plan) {
        return run(
                plan,
                replica -> {
                    replica.train();
                    replica.carried = replica.carried();
                    replica.store();
                    replica.synchronizer.begin();
                    replica.note();
                });
    }

    /** Begins an epoch with restored state. */
    private static List<Replica> resume(TrainingPlan plan, List<Stored> stored) {
        return run(
                plan,
                replica -> {
                    replica.restore(stored.get(replica.rank));
                    replica.note();
                    replica.synchronizer.begin();
                    replica.note();
                });
    }

    private static List<Replica> run(TrainingPlan plan, Consumer<Replica> body) {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(UNIT, 0), 1)) {
            return cluster.run(
                    cluster.channels().stream()
                            .map(channel ->
                                    (Callable<Replica>) () -> run(cluster, plan, channel, body))
                            .toList());
        }
    }

    private static Replica run(
            VirtualCluster cluster, TrainingPlan plan, Channel channel, Consumer<Replica> body) {
        try (BackgroundThread background = cluster.background(channel.rank())) {
            var replica = new Replica(cluster, plan, channel, background);
            body.accept(replica);
            return replica;
        }
    }

    /**
     * Rank 0 begins its last round when sum 0 is complete, and ends the epoch without the parts 1
     * and 2 of rank 1, which it applies in the next epoch.
     */
    @ParameterizedTest
    @EnumSource
    void ownGradientsApplyAtOnceAndOthersWithTheirSums(Weighting weighting) {
        List<Replica> replicas = train(plan(2, OwnStep.AT_ONCE, weighting));

        assertThat(replicas.getFirst().applied)
                .isEqualTo(applied(0, 0, 1, 1, 4, 1 + 2 + 8, 10, 1 + 2 + 4 + 8, 10, ALL));
        assertThat(replicas.getLast().applied)
                .isEqualTo(applied(0, 0, 3, 8 + 1, 6, 8 + 16 + 1 + 2, 9, ALL, 9, ALL));
        assertThat(replicas).extracting(it -> it.carried).containsExactly(16 + 32, 0);
        assertThat(replicas.getFirst().synchronizer.keepsReplicasEqual()).isFalse();
    }

    @Test
    void restoredReplicaAppliesTheSumsThatItHadNotApplied() {
        TrainingPlan plan = plan(2, OwnStep.AT_ONCE, Weighting.WEIGHTED);
        List<Stored> stored = train(plan).stream().map(it -> it.stored).toList();

        List<Replica> restored = resume(plan, stored);

        assertThat(restored.getFirst().applied).isEqualTo(applied(0, 1 + 2 + 4 + 8, 0, ALL));
        assertThat(restored.getLast().applied).isEqualTo(applied(0, ALL, 0, ALL));
        assertThat(restored).extracting(Replica::carried).containsExactly(0, 0);
    }

    @Test
    void unboundedReplicaNeverWaitsForASum() {
        List<Replica> replicas = train(plan(ROUNDS, OwnStep.AT_ONCE, Weighting.WEIGHTED));

        assertThat(replicas.getFirst().applied)
                .isEqualTo(applied(0, 0, 1, 1, 2, 1 + 2, 10, 1 + 2 + 4, 10, ALL));
        assertThat(replicas.getFirst().instruments.staleness().max()).isEqualTo(2);
        assertThat(replicas.getLast().applied)
                .isEqualTo(applied(0, 0, 3, 8 + 1, 6, 8 + 16 + 1 + 2, 9, ALL, 9, ALL));
    }

    @Test
    void queuedSumsApplyInOrderAndKeepReplicasEqual() {
        List<Replica> replicas = train(plan(2, OwnStep.WITH_SUM, Weighting.WEIGHTED));

        assertThat(replicas.getFirst().applied)
                .isEqualTo(applied(0, 0, 1, 0, 4, 1 + 8, 10, ALL, 10, ALL));
        assertThat(replicas.getLast().applied)
                .isEqualTo(applied(0, 0, 3, 1 + 8, 6, 1 + 8 + 2 + 16, 9, ALL, 9, ALL));
        assertThat(replicas.getFirst().synchronizer.keepsReplicasEqual()).isTrue();
    }
}
