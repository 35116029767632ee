package dev.equipoise.agent.server;

import static dev.equipoise.agent.server.TestingServers.integers;
import static dev.equipoise.agent.server.TestingServers.receive;
import static dev.equipoise.agent.server.TestingServers.rendezvous;
import static dev.equipoise.agent.server.TestingServers.run;
import static dev.equipoise.agent.server.TestingServers.send;
import static dev.equipoise.agent.server.TestingServers.slice;
import static dev.equipoise.agent.server.TestingServers.staleness;
import static dev.equipoise.agent.server.TestingServers.vector;
import static dev.equipoise.agent.server.TestingServers.zeros;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.server.Message.Kind;
import dev.equipoise.agent.server.Mode.Aggregate;
import dev.equipoise.testing.Patience;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each replica pushes ones at its own positions of every shard, so that the weights count its
 * pushes.
 */
@Timeout(Patience.SECONDS)
class StalenessGateTest {

    private static final int REPLICAS = 4;
    private static final int ROUNDS = 40;
    private static final List<Long> LAYERS = List.of(400L, 4L, 50_000L, 12L, 5000L);
    private static final int LENGTH = 55_416;

    private static Stream<Arguments> shardings() {
        return IntStream.of(1, 2, 3)
                .boxed()
                .flatMap(servers ->
                        Stream.of(
                                        Sharding.byBytes(LENGTH, servers),
                                        Sharding.byLayers(LAYERS, servers))
                                .flatMap(sharding ->
                                        IntStream.of(0, 1, 3)
                                                .mapToObj(bound ->
                                                        Arguments.of(servers, sharding, bound))));
    }

    private static ServerConfiguration configuration(int servers, Sharding sharding, Mode mode) {
        return new ServerConfiguration(new Roles(servers, servers + REPLICAS), sharding, mode);
    }

    private static MemorySegment ones(int replica) {
        return vector(LENGTH, i -> i % REPLICAS == replica ? 1 : 0);
    }

    /** Returns how often each replica has pushed a shard; all elements must agree. */
    private static List<Integer> pushes(MemorySegment weights, Shard shard) {
        MemorySegment values = slice(weights, shard);
        int[] counts = new int[REPLICAS];
        long first = shard.offset() / Float.BYTES;
        for (int i = 0; i < REPLICAS; i++) {
            counts[(int) ((first + i) % REPLICAS)] = (int) values.getAtIndex(JAVA_FLOAT, i);
        }
        for (long i = 0; i < shard.elements(); i++) {
            assertThat((int) values.getAtIndex(JAVA_FLOAT, i))
                    .isEqualTo(counts[(int) ((first + i) % REPLICAS)]);
        }
        return Arrays.stream(counts).boxed().toList();
    }

    @ParameterizedTest(name = "{0} servers, bound {2}")
    @MethodSource("shardings")
    void noReplicaIsMoreThanTheBoundAhead(int servers, Sharding sharding, int bound) {
        Map<Integer, ParameterServer> all =
                run(
                        configuration(servers, sharding, new Mode.StaleSynchronous(bound)),
                        (channel, parameters) -> {
                            int replica = channel.rank() - servers;
                            MemorySegment weights = zeros(LENGTH);
                            MemorySegment gradient = ones(replica);
                            for (int clock = 0; clock < ROUNDS; clock++) {
                                parameters.pull(weights);
                                for (Shard shard : sharding.shards()) {
                                    List<Integer> pushes = pushes(weights, shard);
                                    int minimum = clock - bound;
                                    int maximum = clock + bound + 1;
                                    assertThat(pushes.get(replica)).isEqualTo(clock);
                                    assertThat(pushes)
                                            .allMatch(it -> it >= minimum && it <= maximum);
                                }
                                parameters.push(gradient);
                            }
                        });

        StalenessHistogram histogram = staleness(all);
        assertThat(histogram.total())
                .isEqualTo((long) REPLICAS * ROUNDS * sharding.shards().size());
        assertThat(histogram.max()).isLessThanOrEqualTo((REPLICAS - 1) * (2L * bound + 1));
    }

    /**
     * A late pull could return the next gradient of a fast replica, so all pull before any push.
     */
    @ParameterizedTest(name = "{0} servers")
    @ValueSource(ints = {1, 2, 3})
    void aBoundOfZeroIsLockstep(int servers) {
        Sharding sharding = Sharding.byLayers(LAYERS, servers);
        Map<Integer, List<MemorySegment>> pulledWeights = new ConcurrentHashMap<>();
        var allHavePulled = new CyclicBarrier(REPLICAS);
        run(
                configuration(servers, sharding, new Mode.StaleSynchronous(0)),
                (channel, parameters) -> {
                    List<MemorySegment> own = new ArrayList<>();
                    for (int round = 0; round <= 5; round++) {
                        MemorySegment weights = zeros(LENGTH);
                        parameters.pull(weights);
                        own.add(weights);
                        allHavePulled.await();
                        parameters.push(integers(LENGTH, 100L * round + channel.rank()));
                    }
                    pulledWeights.put(channel.rank(), own);
                });

        run(
                configuration(servers, sharding, new Mode.Synchronous(Aggregate.SUM)),
                (channel, parameters) -> {
                    MemorySegment weights = zeros(LENGTH);
                    for (int round = 0; round < 5; round++) {
                        parameters.exchange(
                                integers(LENGTH, 100L * round + channel.rank()), weights);
                        MemorySegment pulled =
                                Objects.requireNonNull(pulledWeights.get(channel.rank()))
                                        .get(round + 1);
                        assertThat(pulled.mismatch(weights)).isEqualTo(-1);
                    }
                });
    }

    /**
     * The request of the fast replica reaches the server before the push of the slow one, which the
     * answer contains.
     */
    @Test
    void aFastReplicaWaitsForASlowOne() {
        Sharding sharding = Sharding.byBytes(8, 1);
        var configuration =
                new ServerConfiguration(new Roles(1, 3), sharding, new Mode.StaleSynchronous(1));
        run(
                configuration,
                (channel, parameters) -> {
                    MemorySegment weights = zeros(8);
                    parameters.pull(weights);
                    if (channel.rank() == 1) {
                        parameters.push(weights);
                        parameters.pull(weights);
                        parameters.push(weights);
                        assertLateAnswer(channel, 2, 3);
                    } else {
                        rendezvous(channel, 1);
                        parameters.push(weights);
                    }
                });
    }

    @Test
    void noReplicaWaitsForAPausedOne() {
        Sharding sharding = Sharding.byBytes(8, 1);
        for (Mode mode : List.of(new Mode.StaleSynchronous(0), new Mode.Barrier(1))) {
            run(
                    new ServerConfiguration(new Roles(1, 3), sharding, mode),
                    (channel, parameters) -> {
                        MemorySegment weights = zeros(8);
                        pullBeforeAnyPush(channel, parameters, weights);
                        if (channel.rank() == 1) {
                            parameters.push(weights);
                            assertLateAnswer(channel, 2, 1);
                        } else {
                            rendezvous(channel, 1);
                        }
                    });
        }
    }

    /**
     * Makes both replicas pull before any push: a replica that pulls while the other one waits at a
     * barrier would wait there as well.
     */
    private static void pullBeforeAnyPush(
            Channel channel, RemoteParameters parameters, MemorySegment weights) {
        parameters.pull(weights);
        rendezvous(channel, 3 - channel.rank());
    }

    /** Sends a pull and signals the other replica before posting receive buffers for the answer. */
    private static void assertLateAnswer(Channel channel, int other, long version) {
        send(channel, 0, new Message(Kind.PULL, 0, 0, 0, Payload.NONE));
        rendezvous(channel, other);
        assertThat(receive(channel, 0).version()).isEqualTo(version);
        MemorySegment values = zeros(8);
        PipelineSegments.postReceive(channel, 0, values, 0, values.byteSize());
        PipelineSegments.awaitReceived(channel, 0, values.byteSize());
    }

    @ParameterizedTest(name = "{0} servers, bound {2} + 1")
    @MethodSource("shardings")
    void allReplicasGetEqualValuesAtABarrier(int servers, Sharding sharding, int boundBelow) {
        int bound = boundBelow + 1;
        Map<Long, Map<Integer, List<Integer>>> atBarriers = new ConcurrentHashMap<>();
        Map<Integer, ParameterServer> all =
                run(
                        configuration(servers, sharding, new Mode.Barrier(bound)),
                        (channel, parameters) -> {
                            int replica = channel.rank() - servers;
                            MemorySegment weights = zeros(LENGTH);
                            MemorySegment gradient = ones(replica);
                            List<Integer> last =
                                    IntStream.range(0, REPLICAS).mapToObj(_ -> 0).toList();
                            for (int clock = 0; clock < ROUNDS; clock++) {
                                long before = parameters.barriers();
                                parameters.pull(weights);
                                List<Integer> pushes =
                                        pushes(weights, sharding.shards().getFirst());
                                assertThat(pushes.get(replica)).isEqualTo(clock);
                                if (parameters.barriers() > before) {
                                    assertThat(parameters.barriers()).isEqualTo(before + 1);
                                    assertThat(sharding.shards())
                                            .allMatch(it -> pushes(weights, it).equals(pushes));
                                    atBarriers
                                            .computeIfAbsent(
                                                    before + 1, _ -> new ConcurrentHashMap<>())
                                            .put(replica, pushes);
                                    last = pushes;
                                }
                                assertAheadByLessThan(replica, pushes, last, bound);
                                parameters.push(gradient);
                            }
                        });

        if (bound == 1) {
            assertThat(new TreeMap<>(atBarriers).headMap((long) ROUNDS).values())
                    .hasSize(ROUNDS - 1)
                    .allMatch(it -> it.size() == REPLICAS);
        }
        assertThat(atBarriers.values())
                .allMatch(it -> it.values().stream().distinct().count() == 1);
        assertThat(staleness(all).max()).isLessThanOrEqualTo((REPLICAS - 1) * (2L * bound - 1));
    }

    /** Asserts the bound against all replicas that have not completed all rounds. */
    private static void assertAheadByLessThan(
            int replica, List<Integer> pushes, List<Integer> last, int bound) {
        int own = pushes.get(replica) - last.get(replica);
        for (int other = 0; other < REPLICAS; other++) {
            if (pushes.get(other) < ROUNDS) {
                assertThat(own - (pushes.get(other) - last.get(other))).isLessThan(bound);
            }
        }
    }

    @Test
    void aBarrierWaitsForCurrentIterations() {
        Sharding sharding = Sharding.byBytes(8, 1);
        run(
                new ServerConfiguration(new Roles(1, 3), sharding, new Mode.Barrier(2)),
                (channel, parameters) -> {
                    MemorySegment weights = zeros(8);
                    pullBeforeAnyPush(channel, parameters, weights);
                    if (channel.rank() == 1) {
                        parameters.push(weights);
                        parameters.pull(weights);
                        parameters.push(weights);
                        assertLateAnswer(channel, 2, 3);
                    } else {
                        rendezvous(channel, 1);
                        parameters.push(weights);
                        parameters.pull(weights);
                        assertThat(parameters.barriers()).isEqualTo(1);
                        assertThat(parameters.version(0)).isEqualTo(3);
                    }
                });
    }

    @Test
    void rejectsBoundsThatBlockAllReplicas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Mode.StaleSynchronous(-1))
                .withMessage("the bound must be at least 0, but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Mode.Barrier(0))
                .withMessage("the bound must be at least 1, but was 0");
    }
}
