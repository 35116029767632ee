package dev.equipoise.agent.gossip;

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

class NeighborExchangeIT {

    private static final int LENGTH = 431_080;

    /**
     * Push-sum over doubled distances: after ceil(log2 P) exchanges all of 2^k ranks have the mean.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void reachesTheMeanOverSockets(int ranks) {
        try (var mesh = new TestingMesh(ranks)) {
            List<Channel> channels = mesh.connectAll();

            TestingRanks.run(channels, channel -> assertReachesTheMean(channel, ranks));

            channels.forEach(Channel::close);
        }
    }

    @Test
    void reachesTheMeanThroughHazelcast() {
        try (var members = new TestingMembers("gossip", 2)) {
            List<Channel> channels = members.connectAll();

            TestingRanks.run(channels, channel -> assertReachesTheMean(channel, 2));

            channels.forEach(Channel::close);
        }
    }

    private static void assertReachesTheMean(Channel channel, int ranks) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, channel.rank() * 8 + i % 64);
        }
        var neighbors =
                new NeighborExchange(
                        channel,
                        new Schedule.Dissemination(),
                        new Mixing.PushSum(),
                        LENGTH,
                        Arena.ofAuto());
        for (int exchange = 0; 1 << exchange < ranks; exchange++) {
            neighbors.mix(vector, exchange);
        }
        for (int i = 0; i < LENGTH; i++) {
            if (vector.getAtIndex(JAVA_FLOAT, i) != (ranks - 1) * 4 + i % 64) {
                assertThat(vector.getAtIndex(JAVA_FLOAT, i))
                        .as("element %d", i)
                        .isEqualTo((ranks - 1) * 4 + i % 64);
            }
        }
    }
}
