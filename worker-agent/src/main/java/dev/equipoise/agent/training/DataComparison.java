package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.dataset.DatasetDigest;
import dev.equipoise.agent.service.AssignmentFailed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Compares the data of all ranks before their training, by digests. */
final class DataComparison {

    private DataComparison() {}

    /**
     * Exchanges the digests of all ranks, each of which calls this.
     *
     * @param workers names of the workers of all ranks
     * @throws AssignmentFailed by the user on all ranks if their data differ
     * @throws ChannelFailed when a rank is lost, or sends no digest
     */
    static void requireSame(Channel channel, List<String> workers, DatasetDigest own) {
        List<DatasetDigest> digests = gather(channel, own);
        Optional<String> difference = DatasetDigest.difference(digests, workers);
        if (difference.isPresent()) {
            awaitAll(channel);
            throw AssignmentFailed.byUser(
                    "dataset-differs",
                    "the ranks have read different data; copy the same files to all workers: "
                            + difference.get(),
                    null);
        }
    }

    private static List<DatasetDigest> gather(Channel channel, DatasetDigest own) {
        try (Arena memory = Arena.ofShared()) {
            var digests = new FrameAllGather(channel, DatasetDigest.MAX_BYTES, memory);
            byte[] encoded = own.encode();
            MemorySegment.copy(encoded, 0, digests.own(), JAVA_BYTE, 0, encoded.length);
            digests.gather(PayloadType.PLAIN, encoded.length);
            return IntStream.range(0, channel.size())
                    .mapToObj(rank -> decoded(rank, digests.payload(rank)))
                    .toList();
        }
    }

    private static DatasetDigest decoded(int rank, MemorySegment payload) {
        return DatasetDigest.decode(payload.toArray(JAVA_BYTE))
                .orElseThrow(() ->
                        new ChannelFailed(
                                ChannelFailed.Reason.BAD_FRAME,
                                "rank %d sent no digest of its data".formatted(rank)));
    }

    /** Keeps the channel open until all ranks have the digests. */
    private static void awaitAll(Channel channel) {
        try {
            new Barrier(channel).await();
        } catch (ChannelFailed _) {
            // A rank that has left knows the difference, too.
        }
    }
}
