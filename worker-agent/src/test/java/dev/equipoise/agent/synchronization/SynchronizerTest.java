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
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** The links 0 - 1 and 2 - 3 are slow, so that no good ring has them. */
    @Test
    void aRingFollowsTheLinksThatThePlanTellsOf() throws Exception {
        List<MeasuredLink> links =
                List.of(
                        link(0, 1, 1),
                        link(0, 2, 0),
                        link(0, 3, 0),
                        link(1, 2, 0),
                        link(1, 3, 0),
                        link(2, 3, 1));
        TrainingPlan plan = plan(List.of(1, 1, 1, 1), Topology.Order.BY_LINK, links);
        Set<List<Integer>> used = ConcurrentHashMap.newKeySet();
        List<Channel> channels =
                MemoryChannel.join(4).stream().map(channel -> noting(channel, used)).toList();

        List<float[]> agreed = onAllRanks(channels, plan, Collections.nCopies(4, new float[] {2}));

        assertThat(agreed).allSatisfy(each -> assertThat(each).containsExactly(2));
        assertThat(used)
                .contains(List.of(0, 2), List.of(1, 3))
                .doesNotContain(List.of(0, 1), List.of(1, 0), List.of(2, 3), List.of(3, 2));
    }

    /** Notes from whom to whom frames go. */
    private static Channel noting(Channel channel, Set<List<Integer>> used) {
        return (Channel)
                Proxy.newProxyInstance(
                        Channel.class.getClassLoader(),
                        new Class<?>[] {Channel.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("send")) {
                                used.add(List.of(channel.rank(), (Integer) arguments[0]));
                            }
                            return method.invoke(channel, arguments);
                        });
    }

    private static MeasuredLink link(int low, int high, double seconds) {
        return new MeasuredLink(low, high, seconds, 0, 0);
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
        return onAllRanks(MemoryChannel.join(SAMPLES.size()), plan(SAMPLES), gradients);
    }

    private static List<float[]> onAllRanks(
            List<Channel> channels, TrainingPlan plan, List<float[]> gradients) throws Exception {
        try (ExecutorService ranks = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<float[]>> results = new ArrayList<>();
            for (Channel channel : channels) {
                float[] gradient = gradients.get(channel.rank());
                results.add(ranks.submit(() -> agree(channel, plan, gradient)));
            }
            ranks.shutdown();
            assertThat(ranks.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            return results.stream().map(Future::resultNow).toList();
        }
    }

    private static float[] agree(Channel channel, TrainingPlan plan, float[] gradient) {
        return Synchronizer.of(plan, channel, gradient.length, new SystemTime(), Arena.ofAuto())
                .agree(
                        vector(gradient),
                        plan.shares().get(channel.rank()),
                        Phases.begin(new TestingTime()))
                .toArray(JAVA_FLOAT);
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }

    private static TrainingPlan plan(List<Integer> shares) {
        return plan(shares, Topology.Order.BY_RANK, List.of());
    }

    private static TrainingPlan plan(
            List<Integer> shares, Topology.Order order, List<MeasuredLink> links) {
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
                new Topology.AllReduce(Topology.Algorithm.RING, order),
                new Compression.None(),
                ChannelKind.DIRECT,
                List.of(),
                links);
    }
}
