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
 * others of its round. It has memory of its own for all that it brings and gets, so that no worker
 * waits for another one's frames: a place for each shard, where the gradient arrives and a copy of
 * the values leaves from, and one for the answer. A worker asks for a shard again only when it has
 * the last answer, so that the places are free.
 */
final class Worker {

    private final int rank;
    private final MemorySegment header;
    private final MemorySegment places;
    private final MemorySegment answers;
    private @Nullable Message pushing;
    private long arrived;

    /**
     * @param bytes of all shards of the server
     * @param shards of all servers
     */
    Worker(int rank, long bytes, int shards, Arena memory) {
        this.rank = rank;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        this.places = memory.allocate(JAVA_FLOAT, bytes / Float.BYTES);
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
    void awaitGradient(Channel channel, Message push, Holding holding) {
        pushing = push;
        arrived = 0;
        Slices.postRoom(channel, rank, places, holding.place(), push.bytes());
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

    MemorySegment gradient(Holding holding) {
        return places.asSlice(holding.place(), holding.shard().bytes());
    }

    void answer(Channel channel, Message.Kind kind, Holding holding, long bytes) {
        int shard = holding.shard().index();
        long place = (long) shard * Message.BYTES;
        new Message(kind, shard, holding.version(), bytes).write(answers, place);
        channel.send(rank, Content.PLAIN, answers, place, Message.BYTES);
    }

    /** Straight from the weights, which must not change until the worker has them. */
    void send(Channel channel, Holding holding) {
        Slices.send(channel, rank, holding.weights(), 0, holding.shard().bytes());
    }

    /** From a copy, so that the weights may change at once, however slow the worker's link. */
    void sendCopy(Channel channel, Holding holding) {
        long bytes = holding.shard().bytes();
        MemorySegment.copy(holding.weights(), 0, places, holding.place(), bytes);
        Slices.send(channel, rank, places, holding.place(), bytes);
    }
}
