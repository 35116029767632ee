package dev.equipoise.agent.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a rank is lost, all others hear of it, whichever they were waiting for. */
@Timeout(30)
class LostRankTest {

    private static final int RANKS = 5;
    private static final int LOST = 3;
    private static final int ROUND = 20;

    @ParameterizedTest
    @EnumSource
    void endsTheExchangeOnEverySurvivorInMemory(Algorithm algorithm) {
        assertEnds(MemoryChannel.join(RANKS), algorithm);
    }

    @ParameterizedTest
    @EnumSource
    void endsTheExchangeOnEverySurvivorOverSockets(Algorithm algorithm) {
        try (var mesh = new TestingMesh(RANKS)) {
            assertEnds(mesh.connectAll(), algorithm);
        }
    }

    private static void assertEnds(List<Channel> channels, Algorithm algorithm) {
        var inputs = TestingVectors.random(RANKS, 50_000);
        var before = inputs.copy();
        TestingRanks.run(
                channels,
                channel -> {
                    var allReduce =
                            AllReduces.of(
                                    algorithm, channel, 50_000, new SystemTime(), Arena.ofAuto());
                    var sum = new VectorSum(allReduce, 50_000, Arena.ofAuto());
                    MemorySegment own = inputs.ofRanks().get(channel.rank());
                    for (int round = 0; round < ROUND; round++) {
                        sum.of(own);
                    }
                    if (channel.rank() == LOST) {
                        channel.close();
                        return;
                    }
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> {
                                // A rank far from the loss may still finish a round or two.
                                for (int round = 0; round < ROUND; round++) {
                                    sum.of(own);
                                }
                            })
                            .satisfies(failure ->
                                    assertThat(failure.reason())
                                            .isEqualTo(ChannelFailed.Reason.PEER_LOST));
                });
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(inputs.ofRanks().get(rank).mismatch(before.ofRanks().get(rank)))
                    .isEqualTo(-1);
        }
    }
}
