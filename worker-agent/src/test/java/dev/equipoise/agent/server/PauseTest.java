package dev.equipoise.agent.server;

import static dev.equipoise.agent.server.TestingServers.ADDITION;
import static dev.equipoise.agent.server.TestingServers.add;
import static dev.equipoise.agent.server.TestingServers.integers;
import static dev.equipoise.agent.server.TestingServers.rendezvous;
import static dev.equipoise.agent.server.TestingServers.server;
import static dev.equipoise.agent.server.TestingServers.slice;
import static dev.equipoise.agent.server.TestingServers.zeros;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.server.Mode.Aggregate;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(Patience.SECONDS)
class PauseTest {

    private static final int LENGTH = 50_001;
    private static final int EPOCHS = 3;

    private static Stream<Mode> modes() {
        return Stream.of(
                new Mode.Asynchronous(),
                new Mode.StaleSynchronous(0),
                new Mode.StaleSynchronous(2),
                new Mode.Barrier(1),
                new Mode.Barrier(3));
    }

    /** Between two epochs all ranks, including the servers, all-reduce the weights. */
    @ParameterizedTest
    @MethodSource("modes")
    void pausingFreesTheChannelAndKeepsTheState(Mode mode) {
        var configuration =
                new ServerConfiguration(new Roles(2, 5), Sharding.byBytes(LENGTH, 2), mode);
        TestingRanks.run(
                MemoryChannel.join(5),
                channel -> {
                    var allReduce = new RingAllReduce(channel, Arena.ofAuto());
                    if (channel.rank() < 2) {
                        ParameterServer server = server(channel, configuration, ADDITION);
                        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                            server.serve();
                            MemorySegment weights = zeros(LENGTH);
                            server.copyWeights(weights);
                            allReduce.sum(weights);
                            assertThat(weights.mismatch(expected(epoch))).isEqualTo(-1);
                            assertThat(server.version(channel.rank())).isEqualTo(12L * epoch);
                            assertThat(server.staleness().total()).isEqualTo(12L * epoch);
                        }
                    } else {
                        var parameters =
                                new RemoteParameters(channel, configuration, Arena.ofAuto());
                        MemorySegment weights = zeros(LENGTH);
                        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                            for (int round = 0; round < 4; round++) {
                                parameters.pull(weights);
                                parameters.push(integers(LENGTH, channel.rank()));
                            }
                            parameters.pause();
                            MemorySegment sum = zeros(LENGTH);
                            allReduce.sum(sum);
                            assertThat(sum.mismatch(expected(epoch))).isEqualTo(-1);
                        }
                    }
                });
    }

    private static MemorySegment expected(int epochs) {
        MemorySegment sum = zeros(LENGTH);
        for (int push = 0; push < 4 * epochs; push++) {
            for (int rank = 2; rank < 5; rank++) {
                add(integers(LENGTH, rank), sum);
            }
        }
        return sum;
    }

    @Test
    void roundsContinueAfterAPause() {
        var configuration =
                new ServerConfiguration(
                        new Roles(1, 3),
                        Sharding.byBytes(LENGTH, 1),
                        new Mode.Synchronous(Aggregate.SUM));
        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        ParameterServer server = server(channel, configuration, ADDITION);
                        server.serve();
                        server.serve();
                        assertThat(server.version(0)).isEqualTo(3);
                        return;
                    }
                    var parameters = new RemoteParameters(channel, configuration, Arena.ofAuto());
                    MemorySegment weights = zeros(LENGTH);
                    parameters.exchange(integers(LENGTH, 1), weights);
                    parameters.exchange(integers(LENGTH, 1), weights);
                    parameters.pause();
                    parameters.exchange(integers(LENGTH, 1), weights);
                    parameters.pause();
                    assertThat(parameters.version(0)).isEqualTo(3);
                });
    }

    /** One replica is an iteration ahead before the pause; after it, this replica does not wait. */
    @Test
    void clocksRestartAfterAPause() {
        var configuration =
                new ServerConfiguration(
                        new Roles(1, 3), Sharding.byBytes(8, 1), new Mode.StaleSynchronous(0));
        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    if (channel.rank() == 0) {
                        ParameterServer server = server(channel, configuration, ADDITION);
                        server.serve();
                        server.serve();
                        return;
                    }
                    var parameters = new RemoteParameters(channel, configuration, Arena.ofAuto());
                    MemorySegment weights = zeros(8);
                    parameters.pull(weights);
                    if (channel.rank() == 1) {
                        parameters.push(weights);
                        parameters.pause();
                        parameters.pull(weights);
                        rendezvous(channel, 2);
                    } else {
                        parameters.pause();
                        rendezvous(channel, 1);
                    }
                    parameters.pause();
                });
    }

    @Test
    void copyWeightsCopiesTheShardsOfTheServer() {
        Sharding sharding = Sharding.byBytes(9, 2);
        var configuration =
                new ServerConfiguration(new Roles(2, 3), sharding, new Mode.Asynchronous());
        MemorySegment initial = integers(9, 1);
        var server =
                new ParameterServer(
                        MemoryChannel.join(3).get(1),
                        configuration,
                        ADDITION,
                        initial,
                        Arena.ofAuto());
        MemorySegment weights = zeros(9);

        server.copyWeights(weights);

        Shard own = sharding.shards().get(1);
        assertThat(slice(weights, own).mismatch(slice(initial, own))).isEqualTo(-1);
        Shard other = sharding.shards().getFirst();
        assertThat(slice(weights, other).mismatch(zeros(4))).isEqualTo(-1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.copyWeights(zeros(8)))
                .withMessage("the vector must have 36 bytes, but has 32");
    }
}
