package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectivesTest {

    private static final int LENGTH = 100_001;

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "2, 1", "3, 2", "5, 3", "7, 0", "8, 5"})
    void aBroadcastCopiesTheVectorOfTheRoot(int ranks, int root) {
        var vectors = TestingVectors.random(ranks, LENGTH);
        var before = vectors.copy();

        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel ->
                        new Broadcast(channel, Arena.ofAuto())
                                .from(root, vectors.ofRanks().get(channel.rank())));

        for (MemorySegment vector : vectors.ofRanks()) {
            assertThat(vector.mismatch(before.ofRanks().get(root))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void reduceScatterThenAllGatherIsTheSum(int ranks) {
        var inputs = TestingVectors.random(ranks, LENGTH);
        var outputs = inputs.copy();
        List<Integer> order = IntStream.range(0, ranks).boxed().toList();

        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> {
                    MemorySegment vector = outputs.ofRanks().get(channel.rank());
                    var ring = new Ring(channel, order, Arena.ofAuto());
                    ring.reduceScatter(vector, 0, LENGTH);
                    overwriteAllBut(ring.ownChunk(), ranks, vector);
                    ring.allGather(vector, 0, LENGTH);
                });

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void gathersFramesOfUnequalLengths(int ranks) {
        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> {
                    var gather = new FrameAllGather(channel, 4L * ranks, Arena.ofAuto());
                    for (int round = 0; round < 3; round++) {
                        int length = (channel.rank() + round) % (ranks + 1);
                        for (int i = 0; i < length; i++) {
                            gather.own().setAtIndex(JAVA_INT, i, channel.rank());
                        }
                        gather.gather(content(channel.rank()), 4L * length);
                        assertGathered(gather, ranks, round);
                    }
                });
    }

    private static void assertGathered(FrameAllGather gather, int ranks, int round) {
        for (int rank = 0; rank < ranks; rank++) {
            int[] expected = new int[(rank + round) % (ranks + 1)];
            Arrays.fill(expected, rank);
            assertThat(gather.payload(rank).toArray(JAVA_INT)).containsExactly(expected);
            assertThat(gather.content(rank)).isEqualTo(content(rank));
        }
    }

    private static PayloadType content(int rank) {
        return new PayloadType((byte) 9, (byte) rank, 100 + rank);
    }

    private static void overwriteAllBut(int own, int ranks, MemorySegment vector) {
        var chunks = new Chunks(0, LENGTH, ranks);
        for (int chunk = 0; chunk < ranks; chunk++) {
            if (chunk != own) {
                vector.asSlice(chunks.offset(chunk), chunks.bytes(chunk)).fill((byte) 0x55);
            }
        }
        assertThat(vector.byteSize()).isEqualTo(LENGTH * JAVA_FLOAT.byteSize());
    }
}
