package dev.equipoise.agent.virtual;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.ParameterServer;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.agent.server.Roles;
import dev.equipoise.agent.server.ServerConfiguration;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A virtual run is repeatable, whatever its real durations and the order of its threads. */
@Timeout(Patience.SECONDS)
class VirtualRepeatabilityTest {

    private static final int RANKS = 7;
    private static final int LENGTH = 3001;
    private static final int ROUNDS = 15;
    private static final LinkModel LINKS =
            (from, to) -> new LinkSpeed(20_000 + 1000L * from + 500L * to, 0.5 + 0.1 * to);
    private static final ComputeTime COMPUTE = ComputeTime.ofRate(1e5).withNoise(0.3, 11);

    /** The observable results of a rank. */
    private record Trace(List<Float> weights, List<Long> clocks, String other) {}

    /** The program of a rank, with random pauses in real time. */
    private interface Training {
        String run(
                VirtualCluster cluster, Channel channel, MemorySegment weights, List<Long> clocks);
    }

    @Test
    void asynchronousSgdIsRepeatable() {
        List<Trace> first = traces(1, VirtualRepeatabilityTest::serveOrTrain);
        List<Trace> second = traces(2, VirtualRepeatabilityTest::serveOrTrain);

        assertThat(second).isEqualTo(first);
        assertThat(first.getFirst().other()).contains("max=").doesNotContain("max=0");
    }

    private static String serveOrTrain(
            VirtualCluster cluster, Channel channel, MemorySegment weights, List<Long> clocks) {
        var roles = new Roles(1, RANKS);
        var configuration =
                new ServerConfiguration(
                        roles, Sharding.byBytes(LENGTH, 1), new Mode.Asynchronous());
        if (roles.isServer(channel.rank())) {
            var server =
                    new ParameterServer(
                            channel,
                            configuration,
                            (_, values, gradient, _) -> {
                                approach(values, gradient);
                                return true;
                            },
                            weights,
                            Arena.ofAuto());
            server.serve();
            StalenessHistogram staleness = server.staleness();
            return "max=" + staleness.max() + " of " + staleness;
        }
        var parameters = new RemoteParameters(channel, configuration, Arena.ofAuto());
        MemorySegment gradient = vector();
        for (int round = 0; round < ROUNDS; round++) {
            parameters.pull(weights);
            computeGradient(cluster, channel, weights, gradient, round);
            parameters.push(gradient);
            clocks.add(cluster.time(channel.rank()).nanoTime());
        }
        parameters.pause();
        return "version " + parameters.version(0);
    }

    @Test
    void gossipIsRepeatable() {
        assertThat(traces(2, VirtualRepeatabilityTest::gossip))
                .isEqualTo(traces(1, VirtualRepeatabilityTest::gossip));
    }

    private static String gossip(
            VirtualCluster cluster, Channel channel, MemorySegment weights, List<Long> clocks) {
        var neighbors =
                new NeighborExchange(
                        channel,
                        new Schedule.Linear(false),
                        new Mixing.Uniform(),
                        LENGTH,
                        Arena.ofAuto());
        MemorySegment gradient = vector();
        for (int round = 0; round < ROUNDS; round++) {
            computeGradient(cluster, channel, weights, gradient, round);
            approach(weights, gradient);
            neighbors.mix(weights, round);
            clocks.add(cluster.time(channel.rank()).nanoTime());
        }
        return "";
    }

    @Test
    void overlappedAllReduceIsRepeatable() {
        List<Trace> first = traces(1, VirtualRepeatabilityTest::overlap);

        assertThat(traces(2, VirtualRepeatabilityTest::overlap)).isEqualTo(first);
        assertThat(first.getFirst().other()).contains("true").contains("false");
    }

    private static String overlap(
            VirtualCluster cluster, Channel channel, MemorySegment weights, List<Long> clocks) {
        int rank = channel.rank();
        var allReduce = new RingAllReduce(channel, Arena.ofAuto());
        MemorySegment gradient = vector();
        MemorySegment sum = vector();
        List<Boolean> done = new ArrayList<>();
        try (BackgroundThread background = cluster.background(rank)) {
            for (int round = 0; round < ROUNDS; round++) {
                background.start(() -> allReduce.sum(sum));
                computeGradient(cluster, channel, weights, gradient, round);
                done.add(background.isDone());
                background.await();
                approach(weights, sum);
                sum.copyFrom(gradient);
                clocks.add(cluster.time(rank).nanoTime());
            }
        }
        return done.toString();
    }

    private static void computeGradient(
            VirtualCluster cluster,
            Channel channel,
            MemorySegment weights,
            MemorySegment gradient,
            int round) {
        pause();
        int rank = channel.rank();
        long _ =
                cluster.compute(
                        COMPUTE.slowedDown(1 + rank / 3.0).nanos(32, rank, round),
                        _ -> {
                            pause();
                            for (int i = 0; i < LENGTH; i++) {
                                float weight = weights.getAtIndex(JAVA_FLOAT, i);
                                gradient.setAtIndex(JAVA_FLOAT, i, weight * (rank + 1) / 3 - i);
                            }
                            return gradient.byteSize();
                        });
        pause();
    }

    /** Pauses for up to 0.5 ms of real time. */
    private static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000));
    }

    private static void approach(MemorySegment weights, MemorySegment gradient) {
        for (int i = 0; i < LENGTH; i++) {
            float step = 0.05f * gradient.getAtIndex(JAVA_FLOAT, i);
            weights.setAtIndex(JAVA_FLOAT, i, weights.getAtIndex(JAVA_FLOAT, i) - step);
        }
    }

    private static MemorySegment vector() {
        return Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
    }

    private static List<Trace> traces(int threads, Training training) {
        try (var cluster = new VirtualCluster(RANKS, LINKS, threads)) {
            return TestingBodies.call(
                    cluster,
                    channel -> {
                        MemorySegment weights = vector();
                        List<Long> clocks = new ArrayList<>();
                        String other = training.run(cluster, channel, weights, clocks);
                        clocks.add(cluster.time(channel.rank()).nanoTime());
                        return new Trace(elements(weights), clocks, other);
                    });
        }
    }

    private static List<Float> elements(MemorySegment vector) {
        List<Float> elements = new ArrayList<>();
        for (int i = 0; i < LENGTH; i++) {
            elements.add(vector.getAtIndex(JAVA_FLOAT, i));
        }
        return elements;
    }
}
