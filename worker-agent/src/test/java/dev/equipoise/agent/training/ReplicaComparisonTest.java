package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.training.ReplicaComparison.Verdict;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaComparisonTest {

    private static final double EXACT = 1e-12;

    /** Weights of a rank, its bytes sent, and what it has learned. */
    private record Compared(List<Float> weights, long bytes, ReplicaComparison.Result result) {}

    private static TrainingPlan bsp(int ranks) {
        return TestingPlan.tiny(ranks);
    }

    private static TrainingPlan served(int ranks) {
        return TestingPlan.with(
                TestingPlan.tiny(ranks),
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                        new Compression.None()));
    }

    private static TrainingPlan gossip(int ranks) {
        return TestingPlan.with(
                TestingPlan.tiny(ranks),
                new Method(
                        new Synchronization.LocalSgd(
                                1,
                                Synchronization.Order.STEP_THEN_AVERAGE,
                                Synchronization.Momentum.LOCAL),
                        new Topology.Gossip(
                                new Topology.Partners.Linear(false),
                                Topology.Payload.WEIGHTS,
                                Topology.Mixing.UNIFORM,
                                0),
                        new Compression.None()));
    }

    /** Compares the weights of all ranks, and equalizes them if that is wanted. */
    private static List<Compared> compared(TrainingPlan plan, boolean equalizes, float[]... weights)
            throws Exception {
        List<Future<Compared>> ranks = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (Channel channel : MemoryChannel.join(weights.length)) {
            float[] own = weights[channel.rank()];
            ranks.add(threads.submit(() -> compared(plan, channel, own, equalizes)));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        return ranks.stream().map(Future::resultNow).toList();
    }

    private static Compared compared(
            TrainingPlan plan, Channel channel, float[] values, boolean equalizes) {
        Arena memory = Arena.ofAuto();
        MemorySegment weights = memory.allocateFrom(JAVA_FLOAT, values);
        MemorySegment scratch = memory.allocate(JAVA_FLOAT, values.length);
        var comparison = new ReplicaComparison(plan, channel, weights, scratch, memory);
        ReplicaComparison.Result result =
                equalizes
                        ? new ReplicaComparison.Result(Verdict.EQUAL, comparison.equalize())
                        : comparison.compare(WeightChecksum.of(weights));
        return new Compared(TestingReplicas.floats(weights), channel.bytesSent(), result);
    }

    private static void assertDistance(
            @Nullable ReplicaDistance distance, int from, double absolute, double relative) {
        ReplicaDistance measured = requireNonNull(distance);
        assertThat(measured.from()).isEqualTo(from);
        assertThat(measured.absolute()).isCloseTo(absolute, within(EXACT));
        assertThat(measured.relative()).isCloseTo(relative, within(EXACT));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void equalReplicasExchangeNothingButChecksums(int ranks) throws Exception {
        float[][] weights = new float[ranks][];
        Arrays.setAll(weights, _ -> new float[100_000]);

        List<Compared> compared = compared(bsp(ranks), false, weights);

        // At most four frames, each with a header of 32 bytes.
        long most = 4L * (16 * ranks + 32);
        assertThat(compared)
                .allSatisfy(it -> {
                    assertThat(it.result().areEqual()).isTrue();
                    assertThat(it.result().own()).isNull();
                    assertThat(it.bytes()).isLessThanOrEqualTo(most);
                });
    }

    @Test
    void replicasThatDifferMeasureTheirDistanceFromTheFirst() throws Exception {
        List<Compared> compared =
                compared(
                        bsp(3),
                        false,
                        new float[] {3, 4, 0},
                        new float[] {3, 4, 0},
                        new float[] {3, 4, 0.5f});

        assertThat(compared).allMatch(it -> it.result().differ());
        assertThat(compared.get(0).result().own()).isNull();
        assertThat(compared.get(1).result().own()).isNull();
        assertDistance(compared.get(2).result().own(), 0, 0.5, 0.1);
        assertThat(compared.get(2).weights()).containsExactly(3f, 4f, 0.5f);
    }

    /** One bit of a checksum that is lost in a sum would hide a difference. */
    @Test
    void lastBitOfOneWeightMakesADifference() throws Exception {
        List<Compared> compared =
                compared(bsp(2), false, new float[] {1, 2}, new float[] {1, Math.nextUp(2f)});

        assertThat(compared).allMatch(it -> it.result().differ());
        assertDistance(
                compared.get(1).result().own(), 0, Math.ulp(2f), Math.ulp(2f) / Math.sqrt(5));
    }

    @Test
    void serverWithoutWeightsIsNoReplica() throws Exception {
        List<Compared> equal =
                compared(served(3), false, new float[] {9}, new float[] {2}, new float[] {2});
        List<Compared> differing =
                compared(served(3), false, new float[] {9}, new float[] {2}, new float[] {3});

        assertThat(equal).allMatch(it -> it.result().areEqual());
        assertThat(differing).allMatch(it -> it.result().differ());
        assertThat(differing.get(0).result().own()).isNull();
        assertDistance(differing.get(2).result().own(), 1, 1, 0.5);
    }

    @Test
    void replicasThatNeedNotBeEqualAreNotCompared() throws Exception {
        List<Compared> compared = compared(gossip(2), false, new float[] {1}, new float[] {2});

        assertThat(compared).allMatch(it -> it.result().verdict() == Verdict.NOT_COMPARED);
        assertThat(compared).extracting(Compared::bytes).containsOnly(0L);
    }

    @Test
    void disabledComparisonSendsNothing() throws Exception {
        Channel channel = MemoryChannel.join(2).getFirst();
        Arena memory = Arena.ofAuto();
        MemorySegment weights = memory.allocateFrom(JAVA_FLOAT, 1f, 2f);
        var comparison = new ReplicaComparison(bsp(2), channel, weights, weights, memory);

        comparison.disable();

        assertThat(comparison.compare(WeightChecksum.of(weights)).verdict())
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(comparison.equalize()).isNull();
        assertThat(channel.bytesSent()).isZero();
    }

    @Test
    void replicasThatDifferTakeTheWeightsOfTheFirst() throws Exception {
        List<Compared> compared =
                compared(
                        served(4),
                        true,
                        new float[] {9},
                        new float[] {2},
                        new float[] {3},
                        new float[] {2});

        assertThat(compared)
                .extracting(Compared::weights)
                .containsExactly(List.of(9f), List.of(2f), List.of(2f), List.of(2f));
        assertDistance(compared.get(2).result().own(), 1, 1, 0.5);
        assertThat(compared.get(3).result().own()).isNull();
    }

    @Test
    void weightsThatAreNotFiniteHaveNoDistance() throws Exception {
        List<Compared> compared = compared(bsp(2), false, new float[] {1}, new float[] {Float.NaN});

        assertThat(compared).allMatch(it -> it.result().differ());
        assertThat(compared.get(1).result().own()).isNull();
    }
}
