package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.time.Phase;
import dev.equipoise.agent.time.Phases;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SynchronizerTest {

    private static final List<Integer> SAMPLES = List.of(1, 0, 3);

    @Test
    void everyRankGetsTheMeanWeightedBySamples() throws Exception {
        List<float[]> gradients =
                List.of(
                        new float[] {4, 8, -4, 0},
                        new float[] {9, 9, 9, 9},
                        new float[] {0, 4, 4, 2});

        List<float[]> agreed = onAllRanks(gradients);

        for (float[] each : agreed) {
            assertThat(each).containsExactly(new float[] {1, 5, 2, 1.5f}, within(1e-6f));
            assertThat(each).isEqualTo(agreed.getFirst());
        }
    }

    @Test
    void aSingleRankAgreesWithItselfWithoutMovingAnything() {
        Channel alone = MemoryChannel.join(1).getFirst();
        MemorySegment gradient = vector(1, 2, 3);
        var phases = Phases.begin(new TestingTime());

        MemorySegment agreed =
                Synchronizer.of(plan(List.of(4)), alone, 3, new SystemTime(), Arena.ofAuto())
                        .agree(gradient, 4, phases);

        assertThat(agreed).isSameAs(gradient);
        assertThat(alone.bytesSent()).isZero();
        assertThat(phases.seconds(Phase.TRANSFER)).isZero();
    }

    private static List<float[]> onAllRanks(List<float[]> gradients) throws Exception {
        List<Channel> channels = MemoryChannel.join(SAMPLES.size());
        try (ExecutorService ranks = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<float[]>> results = new ArrayList<>();
            for (Channel channel : channels) {
                float[] gradient = gradients.get(channel.rank());
                results.add(ranks.submit(() -> agree(channel, gradient)));
            }
            ranks.shutdown();
            assertThat(ranks.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            return results.stream().map(Future::resultNow).toList();
        }
    }

    private static float[] agree(Channel channel, float[] gradient) {
        return Synchronizer.of(
                        plan(SAMPLES), channel, gradient.length, new SystemTime(), Arena.ofAuto())
                .agree(
                        vector(gradient),
                        SAMPLES.get(channel.rank()),
                        Phases.begin(new TestingTime()))
                .toArray(JAVA_FLOAT);
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }

    private static TrainingPlan plan(List<Integer> shares) {
        return new TrainingPlan(
                new DatasetSpec.Synthetic(List.of(8, 8, 1), 2, 4, 1, 4),
                Preset.MNIST_CNN.architecture(),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(0.1),
                1,
                1,
                1,
                shares,
                1,
                new Synchronization.Bsp(),
                new Topology.AllReduce(Topology.Algorithm.RING),
                new Compression.None(),
                ChannelKind.DIRECT);
    }
}
