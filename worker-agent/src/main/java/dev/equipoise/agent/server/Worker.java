package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.Slices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its server sees it: it is about to send a header, or a gradient, or it waits for the
 * others of its round. It has memory of its own for each, so that no worker waits for another one's
 * frames.
 */
final class Worker {

    private final int rank;
    private final MemorySegment header;
    private final MemorySegment gradient;
    private final MemorySegment answers;
    private @Nullable Message pushing;
    private long arrived;

    /**
     * @param longest gradient that comes, in bytes
     * @param shards of all servers
     */
    Worker(int rank, long longest, int shards, Arena memory) {
        this.rank = rank;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        this.gradient = memory.allocate(JAVA_FLOAT, longest / Float.BYTES);
        this.answers = memory.allocate((long) shards * Message.BYTES, Long.BYTES);
    }

    int rank() {
        return rank;
    }

    void awaitHeader(Channel channel) {
        pushing = null;
        channel.receive(rank, header, 0, Message.BYTES);
    }

    /** What the header says that has come. */
    Message message() {
        return Message.read(header, 0);
    }

    /** Its slices come one by one; of one that is empty, none. */
    void awaitGradient(Channel channel, Message push) {
        pushing = push;
        arrived = 0;
        Slices.postRoom(channel, rank, gradient, 0, push.bytes());
    }

    /** The push of which the gradient has come or will come; null where a header will. */
    @Nullable Message pushing() {
        return pushing;
    }

    /** Counts a slice of a push that has come. */
    void hasArrived(Message push) {
        arrived += Slices.length(arrived, push.bytes());
    }

    /** The bytes of the gradient that have come. */
    long arrived() {
        return arrived;
    }

    MemorySegment gradient(Shard shard) {
        return gradient.asSlice(0, shard.bytes());
    }

    /**
     * Each shard has a place for its answers: a worker asks for it again only when it has the last
     * one, so that the place is free.
     */
    void answer(Channel channel, Message.Kind kind, Holding holding, long bytes) {
        int shard = holding.shard().index();
        long place = (long) shard * Message.BYTES;
        new Message(kind, shard, holding.version(), bytes).write(answers, place);
        channel.send(rank, Content.PLAIN, answers, place, Message.BYTES);
    }

    void send(Channel channel, MemorySegment values) {
        Slices.send(channel, rank, values, 0, values.byteSize());
    }
}
