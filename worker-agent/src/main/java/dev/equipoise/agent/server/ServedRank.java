package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of a replica at its server: it is about to send a header or a gradient, waits for other
 * replicas, or has paused. Each replica has its own memory for everything that it sends and
 * receives, so that no replica waits for the frames of another one: a slot for each shard, in which
 * a gradient arrives and from which a snapshot of the values is sent, one buffer for a frame, and
 * one for each answer. A replica requests a shard again only after the last answer, so that the
 * slots are free then.
 */
final class ServedRank {

    private final Channel channel;
    private final int rank;
    private final int index;
    private final long seed;
    private final MemorySegment header;
    private final MemorySegment slots;
    private final MemorySegment frame;
    private final MemorySegment replies;
    private @Nullable Message pushing;
    private @Nullable ServedShard awaited;

    /** Completed rounds of each shard since the server began to serve. */
    private final int[] rounds;

    private long received;
    private boolean isPaused = true;

    /**
     * The memory that a replica needs at its server.
     *
     * @param slots in bytes
     * @param frame in bytes
     * @param shards number of shards of all servers
     */
    record Sizes(long slots, long frame, int shards) {}

    /**
     * @param index of this replica among the replicas
     * @param seed of the random source with which frames are decoded
     */
    ServedRank(Channel channel, int rank, int index, long seed, Sizes sizes, Arena memory) {
        this.channel = channel;
        this.rank = rank;
        this.index = index;
        this.seed = seed;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        this.slots = memory.allocate(JAVA_FLOAT, sizes.slots() / Float.BYTES);
        this.frame = memory.allocate(sizes.frame(), Long.BYTES);
        this.replies = memory.allocate((long) sizes.shards() * Message.BYTES, Long.BYTES);
        this.rounds = new int[sizes.shards()];
    }

    int rank() {
        return rank;
    }

    int index() {
        return index;
    }

    void awaitHeader() {
        pushing = null;
        awaited = null;
        isPaused = false;
        channel.receive(rank, header, 0, Message.BYTES);
    }

    /** The received header. */
    Message message() {
        return Message.read(header, 0);
    }

    /** Marks the replica as paused until {@link #awaitHeader}. */
    void pause() {
        isPaused = true;
    }

    /** Marks the replica as lost and drops any exchange with it. */
    void markLost() {
        pushing = null;
        awaited = null;
        isPaused = true;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Defers the answer to the replica's pull. */
    void deferAnswer(ServedShard served) {
        awaited = served;
    }

    /** The shard whose values the replica waits for; null if there is none. */
    @Nullable ServedShard awaited() {
        return awaited;
    }

    /**
     * Posts the receive buffers of a gradient, which arrives segment by segment; an empty one has
     * no segment.
     */
    void awaitGradient(Message push, ServedShard served) {
        pushing = push;
        received = 0;
        if (push.payload().isCoded()) {
            PipelineSegments.postReceive(channel, rank, frame, 0, push.payload().bytes());
        } else {
            PipelineSegments.postReceive(
                    channel, rank, slots, served.slot(), served.shard().bytes());
        }
        decodeIfComplete(push, served);
    }

    /** The push whose gradient is arriving or has arrived; null if a header is awaited. */
    @Nullable Message pushing() {
        return pushing;
    }

    /** Counts a received segment of a push. */
    void hasReceived(Message push, ServedShard served) {
        received += PipelineSegments.length(received, push.payload().bytes());
        decodeIfComplete(push, served);
    }

    private void decodeIfComplete(Message push, ServedShard served) {
        if (push.payload().isCoded() && isComplete(push)) {
            served.decode(rank, push, seed, frame, gradient(served));
        }
    }

    private boolean isComplete(Message push) {
        return received == push.payload().bytes();
    }

    /** Returns whether the whole gradient has arrived. */
    boolean hasWholeGradient() {
        return pushing != null && isComplete(pushing);
    }

    /** Returns the usable bytes of the gradient: whole segments, but a frame only as a whole. */
    long receivedBytes(ServedShard served) {
        if (hasWholeGradient()) {
            return served.shard().bytes();
        }
        return pushing == null || pushing.payload().isCoded() ? 0 : received;
    }

    /** The slots in which the gradients of all shards arrive. */
    MemorySegment slots() {
        return slots;
    }

    MemorySegment gradient(ServedShard served) {
        return slots.asSlice(served.slot(), served.shard().bytes());
    }

    /** Resets the round counts of all shards to 0. */
    void restartRounds() {
        Arrays.fill(rounds, 0);
    }

    /** Counts a completed round of a shard, and returns its number, from 0. */
    int completeRound(ServedShard served) {
        return rounds[served.shard().index()]++;
    }

    /**
     * Confirms a push or a skipped round, and awaits the next header.
     *
     * @param samplesBefore samples of the epoch that the server had received before
     */
    void answerPush(Message push, long samplesBefore, long staleness) {
        answer(new Message(Kind.APPLIED, push.shard(), samplesBefore, staleness, Payload.NONE));
        awaitHeader();
    }

    /**
     * Sends values directly from memory that must not change until the replica has them, and awaits
     * the next header.
     */
    void answer(ServedShard served, Payload payload, MemorySegment values) {
        answer(new Message(Kind.VALUES, served.shard().index(), served.version(), 0, payload));
        PipelineSegments.send(channel, rank, values, 0, payload.bytes());
        awaitHeader();
    }

    /**
     * Copies the values into the slot, so that they may change at once, however slow the replica's
     * link is.
     */
    void takeSnapshot(ServedShard served) {
        MemorySegment.copy(served.weights(), 0, slots, served.slot(), served.shard().bytes());
    }

    /** Sends the snapshot and awaits the next header. */
    void answerSnapshot(Shard shard, long slot, long version, long barriers) {
        Payload payload = Payload.plain(shard.bytes());
        answer(new Message(Kind.VALUES, shard.index(), version, barriers, payload));
        PipelineSegments.send(channel, rank, slots, slot, shard.bytes());
        awaitHeader();
    }

    private void answer(Message message) {
        long slot = (long) message.shard() * Message.BYTES;
        message.write(replies, slot);
        channel.send(rank, PayloadType.PLAIN, replies, slot, Message.BYTES);
    }
}
