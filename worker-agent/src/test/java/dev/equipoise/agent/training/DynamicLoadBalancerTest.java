package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two ranks continue with the shares that they had computed. */
class DynamicLoadBalancerTest {

    private static final List<Integer> FIRST = List.of(50, 49);

    /** An epoch has six rounds, so that a mean of weights counts samples of two earlier epochs. */
    private static final Synchronization LONG_PERIOD =
            new Synchronization.LocalSgd(10, Order.STEP_THEN_AVERAGE, Momentum.LOCAL);

    private static TrainingPlan plan(Synchronization synchronization) {
        return TestingTask.balancedPlan(
                new Method(
                        synchronization,
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None()),
                MOMENTUM,
                8,
                FIRST,
                0);
    }

    private record Rank(
            EpochShards shards, RankStateRegistry registry, DynamicLoadBalancer balancer) {

        static Rank of(TrainingPlan plan, Channel channel) {
            var shards =
                    new EpochShards(new Shards(plan.division().shares(), plan.division().rounds()));
            var registry = new RankStateRegistry();
            return new Rank(
                    shards,
                    registry,
                    DynamicLoadBalancer.of(plan, shards, channel, registry, Arena.ofAuto())
                            .orElseThrow());
        }

        List<Integer> shares(int epoch) {
            return shards.of(epoch).shares();
        }

        /** Returns a copy of the rank state. */
        List<ByteBuffer> state() {
            return registry.vectors().stream()
                    .map(it -> ByteBuffer.wrap(it.toArray(JAVA_BYTE)))
                    .toList();
        }

        void restore(List<ByteBuffer> state) {
            for (int i = 0; i < state.size(); i++) {
                registry.vectors().get(i).copyFrom(MemorySegment.ofBuffer(state.get(i)));
            }
        }
    }

    private static List<Rank> ranks(TrainingPlan plan) {
        List<Rank> ranks = new ArrayList<>();
        for (Channel channel : MemoryChannel.join(plan.division().ranks())) {
            ranks.add(Rank.of(plan, channel));
        }
        return ranks;
    }

    /** Creates ranks with the state of others, which begin an epoch. */
    private static List<Rank> resume(TrainingPlan plan, List<Rank> stored, int epoch) {
        List<Rank> resumed = ranks(plan);
        for (int rank = 0; rank < resumed.size(); rank++) {
            resumed.get(rank).restore(stored.get(rank).state());
            resumed.get(rank).balancer().resume(epoch);
        }
        return resumed;
    }

    /** Ends an epoch whose computing took each rank some seconds. */
    private static void end(int epoch, List<Rank> ranks, double... seconds) throws Exception {
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            DynamicLoadBalancer balancer = ranks.get(rank).balancer();
            var phases = new Phases(seconds[rank], 0, 0, 0, 0, 0);
            all.add(() -> {
                balancer.after(epoch, phases);
                return true;
            });
        }
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            assertThat(threads.invokeAll(all, Patience.SECONDS, TimeUnit.SECONDS))
                    .allMatch(Future::resultNow);
        }
    }

    @Test
    void resumesWithTheSharesAndTheSpeeds() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp());
        List<Rank> whole = ranks(plan);
        end(1, whole, 1, 3);

        List<Rank> resumed = resume(plan, whole, 2);

        assertThat(resumed.getFirst().shares(2)).isEqualTo(whole.getFirst().shares(2));
        assertThat(resumed.getFirst().shares(2)).isNotEqualTo(FIRST);
        end(2, whole, 2, 2);
        end(2, resumed, 2, 2);
        for (int rank = 0; rank < resumed.size(); rank++) {
            assertThat(resumed.get(rank).shares(3)).isEqualTo(whole.get(rank).shares(3));
            assertThat(resumed.get(rank).state()).isEqualTo(whole.get(rank).state());
        }
    }

    @Test
    void resumesWithTheSharesOfEpochsThatAMeanStillCounts() throws Exception {
        TrainingPlan plan = plan(LONG_PERIOD);
        List<Rank> whole = ranks(plan);
        end(1, whole, 1, 2);
        end(2, whole, 1, 2);
        end(3, whole, 3, 1);

        Rank resumed = resume(plan, whole, 4).getLast();

        for (int epoch = 2; epoch <= 5; epoch++) {
            assertThat(resumed.shares(epoch)).isEqualTo(whole.getLast().shares(epoch));
        }
        assertThat(resumed.shares(3)).isNotEqualTo(resumed.shares(4));
    }

    @Test
    void earlyEpochsResumeWithTheSharesThatThereWere() throws Exception {
        TrainingPlan plan = plan(LONG_PERIOD);
        List<Rank> whole = ranks(plan);
        end(1, whole, 1, 2);

        Rank resumed = resume(plan, whole, 2).getFirst();

        assertThat(resumed.shares(1)).isEqualTo(FIRST);
        assertThat(resumed.shares(2)).isEqualTo(whole.getFirst().shares(2));
    }

    /** The shares of all epochs would be more counters than a checkpoint can have. */
    @Test
    void sharesOfManyEpochsAreNoCounters() {
        int epochs = 100_000;
        int rounds = epochs * TestingTask.ROUNDS;
        var whole = new Synchronization.LocalSgd(rounds, Order.STEP_THEN_AVERAGE, Momentum.LOCAL);

        Rank rank = ranks(TestingPlan.with(plan(whole), epochs)).getFirst();

        assertThat(rank.registry().count()).isZero();
        assertThat(rank.state().getFirst().capacity())
                .isEqualTo(epochs * FIRST.size() * Integer.BYTES);
    }
}
