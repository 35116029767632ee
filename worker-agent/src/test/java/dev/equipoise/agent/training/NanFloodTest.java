package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingMethods.NONE;
import static dev.equipoise.agent.training.TestingMethods.RING;
import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.codec.FrameCorrupt;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A hostile rank that sends NaN or infinite gradients ends its own run, and no other one. */
class NanFloodTest {

    private static final int EPOCHS = 2;

    /** An honest run, in the same process. */
    private static final TrainingPlan HONEST =
            TestingTask.plan(new Synchronization.Bsp(), SGD, EPOCHS, List.of(33, 33, 33));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    static Stream<Arguments> floods() {
        return methods()
                .flatMap(method ->
                        Stream.of(Float.NaN, Float.POSITIVE_INFINITY)
                                .map(poison -> Arguments.of(method, poison)));
    }

    private static Stream<Method> methods() {
        return Stream.of(
                TestingMethods.bsp(RING, NONE),
                new Method(TestingTask.localSgd(Momentum.AVERAGE), RING, NONE),
                TestingMethods.local(1, RING, new Compression.TopK(0.2, true)),
                gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM),
                gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM),
                new Method(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, new StalenessCorrection.Inverse()),
                        TestingMethods.servers(1),
                        NONE));
    }

    private static Method gossip(Partners partners, Payload payload, Mixing mixing) {
        return TestingMethods.local(1, new Gossip(partners, payload, mixing, 0), NONE);
    }

    @ParameterizedTest
    @MethodSource("floods")
    void poisonedGradientsEndTheirOwnRunAlone(Method method, float poison) throws Exception {
        List<List<Float>> undisturbed = weights(replicas().train(HONEST));

        List<Future<Outcome>> attacked = start(plan(method), poison);
        Future<List<Outcome>> beside = threads.submit(() -> replicas().train(HONEST));

        assertThat(beside).succeedsWithin(PATIENCE);
        assertThat(weights(beside.resultNow())).isEqualTo(undisturbed);
        threads.shutdown();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertAllFailWithTheCause(attacked);
    }

    /** Ranks that do not see the poison themselves lose those that do. */
    private static void assertAllFailWithTheCause(List<Future<Outcome>> ranks) {
        List<Throwable> failures = ranks.stream().map(Future::exceptionNow).toList();
        assertThat(failures)
                .allMatch(it ->
                        it instanceof AssignmentFailed
                                || it instanceof ChannelFailed
                                || it instanceof FrameCorrupt)
                .anyMatch(it -> !(it instanceof ChannelFailed))
                .filteredOn(AssignmentFailed.class::isInstance)
                .allSatisfy(failure ->
                        assertThat(((AssignmentFailed) failure).toEvent().code())
                                .isEqualTo("diverged"));
    }

    /** Starts all ranks; the last one is hostile. */
    private List<Future<Outcome>> start(TrainingPlan plan, float poison) {
        TestingReplicas replicas = replicas();
        int ranks = plan.division().ranks();
        List<Future<Outcome>> started = new ArrayList<>();
        for (Channel channel : MemoryChannel.join(ranks)) {
            Channel own =
                    channel.rank() == ranks - 1 ? new PoisonedChannel(channel, poison) : channel;
            started.add(threads.submit(() -> replicas.train(plan, own, _ -> {})));
        }
        return started;
    }

    private static TestingReplicas replicas() {
        return new TestingReplicas(DATA, SystemTime::new);
    }

    private static TrainingPlan plan(Method method) {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(method.topology().servers(), 0));
        shares.addAll(List.of(25, 25, 25, 24));
        return TestingTask.plan(method, SGD, EPOCHS, shares);
    }

    private static List<List<Float>> weights(List<Outcome> outcomes) {
        return outcomes.stream().map(Outcome::parameters).toList();
    }
}
