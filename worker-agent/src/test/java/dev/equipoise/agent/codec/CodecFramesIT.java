package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.collective.FrameAllGather;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends frames of all codecs through channels, each rank with a vector of another length. */
class CodecFramesIT {

    private static final int RANKS = 3;
    private static final int ROUNDS = 2;

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.all();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void receivedFramesDecodeLikeSentOnesOverMemory(TestingCodecs kind) {
        gather(kind, MemoryChannel.join(RANKS));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void receivedFramesDecodeLikeSentOnesOverSockets(TestingCodecs kind) {
        try (var mesh = new TestingMesh(RANKS)) {
            List<Channel> channels = mesh.connectAll();

            gather(kind, channels);

            channels.forEach(Channel::close);
        }
    }

    private static void gather(TestingCodecs kind, List<Channel> channels) {
        TestingRanks.run(
                channels,
                channel -> {
                    var frames = new FrameAllGather(channel, longestPayload(kind), Arena.ofAuto());
                    for (int round = 0; round < ROUNDS; round++) {
                        send(kind, channel.rank(), round, frames);
                        for (int sender = 0; sender < RANKS; sender++) {
                            assertArrived(kind, sender, round, frames);
                        }
                    }
                });
    }

    private static void send(TestingCodecs kind, int rank, int round, FrameAllGather frames) {
        Frame frame = encode(kind, rank, round, frames.own());
        frames.gather(frame.content(), frame.payload().byteSize());
    }

    private static void assertArrived(
            TestingCodecs kind, int sender, int round, FrameAllGather frames) {
        Codec codec = kind.codec(length(sender));
        MemorySegment buffer = TestingVectors.buffer(codec, length(sender));
        Frame sent = encode(kind, sender, round, buffer);

        Frame received = Frame.of(frames.content(sender), frames.payload(sender));

        assertThat(received.payload().byteSize()).isEqualTo(sent.payload().byteSize());
        assertThat(
                        decoded(codec, received, sender, round)
                                .mismatch(decoded(codec, sent, sender, round)))
                .isEqualTo(-1);
    }

    private static Frame encode(TestingCodecs kind, int rank, int round, MemorySegment buffer) {
        MemorySegment vector = TestingVectors.random(length(rank), RANKS * round + rank);
        return kind.codec(length(rank)).encode(vector, codecRandom(rank, round), buffer);
    }

    private static MemorySegment decoded(Codec codec, Frame frame, int sender, int round) {
        return TestingVectors.decoded(codec, frame, codecRandom(sender, round));
    }

    private static CodecRandom codecRandom(int rank, int round) {
        return new CodecRandom(7, rank, round);
    }

    private static int length(int rank) {
        return 5000 + 1237 * rank;
    }

    private static long longestPayload(TestingCodecs kind) {
        int longest = length(RANKS - 1);
        return kind.codec(longest).largestPayload(longest);
    }
}
