package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.cluster.TestingMembers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterServerIT {

    private static final int LENGTH = 431_080;
    private static final int ROUNDS = 10;
    private static final Roles ROLES = new Roles(2, 5);
    private static final Sharding SHARDING = Sharding.byBytes(LENGTH, 2);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countsEveryPushOverSockets(boolean inRounds) {
        try (var mesh = new TestingMesh(ROLES.ranks())) {
            assertCountsEveryPush(mesh.connectAll(), inRounds);
        }
    }

    @Test
    void countsEveryPushThroughHazelcast() {
        try (var members = new TestingMembers("servers", ROLES.ranks())) {
            assertCountsEveryPush(members.connectAll(), true);
            assertCountsEveryPush(members.connectAll(), false);
        }
    }

    private static void assertCountsEveryPush(List<Channel> channels, boolean inRounds) {
        Mode mode = inRounds ? new Mode.Synchronous(Mode.Aggregate.SUM) : new Mode.Asynchronous();
        TestingRanks.run(
                channels,
                channel -> {
                    if (ROLES.isServer(channel.rank())) {
                        serve(channel, mode);
                    } else {
                        train(channel, mode, inRounds);
                    }
                });

        channels.forEach(Channel::close);
    }

    private static void serve(Channel channel, Mode mode) {
        MemorySegment zeros = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        var server =
                new ParameterServer(
                        channel,
                        new ServerConfiguration(ROLES, SHARDING, mode),
                        (_, weights, gradient, _) -> add(weights, gradient),
                        zeros,
                        Arena.ofAuto());
        server.serve();
        assertThat(server.staleness().total()).isEqualTo(3L * ROUNDS);
    }

    /** All replicas push ones, so that the weights count the pushes. */
    private static void train(Channel channel, Mode mode, boolean inRounds) {
        var parameters =
                new RemoteParameters(
                        channel, new ServerConfiguration(ROLES, SHARDING, mode), Arena.ofAuto());
        MemorySegment weights = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        MemorySegment ones = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            ones.setAtIndex(JAVA_FLOAT, i, 1);
        }
        for (int round = 0; round < ROUNDS; round++) {
            if (inRounds) {
                parameters.exchange(ones, weights);
                assertThat(weights.getAtIndex(JAVA_FLOAT, LENGTH - 1)).isEqualTo(3 * (round + 1));
            } else {
                parameters.push(ones);
                parameters.pull(weights);
                assertThat(weights.getAtIndex(JAVA_FLOAT, LENGTH - 1))
                        .isEqualTo((float) parameters.version(1))
                        .isGreaterThanOrEqualTo(round + 1);
            }
        }
        parameters.pause();
    }

    private static boolean add(MemorySegment weights, MemorySegment gradient) {
        for (long i = 0; i < weights.byteSize() / Float.BYTES; i++) {
            weights.setAtIndex(
                    JAVA_FLOAT,
                    i,
                    weights.getAtIndex(JAVA_FLOAT, i) + gradient.getAtIndex(JAVA_FLOAT, i));
        }
        return true;
    }
}
