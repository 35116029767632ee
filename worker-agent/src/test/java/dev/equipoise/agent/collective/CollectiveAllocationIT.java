package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Allocation of all-reduces in a steady state: ranks exchange for days, and garbage would pause all
 * of them now and then.
 */
@Tag("allocation")
class CollectiveAllocationIT {

    private static final int WARM_UPS = 10;
    private static final int ROUNDS = 200;
    private static final long MAX_BYTES_PER_ROUND = 1024;
    private static final int LENGTH = 100_000;

    @ParameterizedTest
    @EnumSource
    void anAllReduceInMemoryAllocatesAlmostNothing(Algorithm algorithm) throws Exception {
        assertAllocatesAlmostNothing(MemoryChannel.join(3), algorithm);
    }

    @ParameterizedTest
    @EnumSource(names = {"RING", "HALVING_DOUBLING"})
    void anAllReduceOverSocketsAllocatesAlmostNothing(Algorithm algorithm) throws Exception {
        try (var mesh = new TestingMesh(2)) {
            List<Channel> channels = mesh.connectAll();
            assertAllocatesAlmostNothing(channels, algorithm);
            channels.forEach(Channel::close);
        }
    }

    private static void assertAllocatesAlmostNothing(List<Channel> channels, Algorithm algorithm)
            throws Exception {
        AllocationTrials.assertBytesPerRound(
                MAX_BYTES_PER_ROUND, () -> maxBytesPerRound(channels, algorithm));
    }

    /** Returns the maximum over the ranks, after warm-up. */
    private static long maxBytesPerRound(List<Channel> channels, Algorithm algorithm) {
        long[] bytes = new long[channels.size()];
        TestingRanks.run(
                channels,
                channel -> {
                    try (Arena memory = Arena.ofShared()) {
                        MemorySegment vector = memory.allocate(JAVA_FLOAT, LENGTH);
                        AllReduce allReduce =
                                AllReduces.of(algorithm, channel, LENGTH, new SystemTime(), memory);
                        repeat(WARM_UPS, allReduce, vector);
                        bytes[channel.rank()] =
                                AllocationTrials.bytesOf(() -> repeat(ROUNDS, allReduce, vector));
                    }
                });
        return Arrays.stream(bytes).max().orElseThrow() / ROUNDS;
    }

    private static void repeat(int rounds, AllReduce allReduce, MemorySegment vector) {
        for (int i = 0; i < rounds; i++) {
            allReduce.sum(vector);
        }
    }
}
