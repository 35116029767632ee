package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.Slices;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its server sees it: it is about to send a header, or a gradient, or it waits for the
 * others, or it has paused. It has memory of its own for all that it brings and gets, so that no
 * worker waits for another one's frames: a place for each shard, where the gradient arrives and a
 * copy of the values leaves from, one for a frame, and one for each answer. A worker asks for a
 * shard again only when it has the last answer, so that the places are free.
 */
final class Worker {

    private final Channel channel;
    private final int rank;
    private final int index;
    private final long seed;
    private final MemorySegment header;
    private final MemorySegment places;
    private final MemorySegment frame;
    private final MemorySegment answers;
    private @Nullable Message pushing;
    private @Nullable Holding awaited;
    private long received;
    private boolean isPaused = true;

    /** How much memory a worker needs at its server. */
    record Room(long places, long frame, int shards) {}

    /**
     * @param index among the workers
     * @param seed of the chance by which frames are decoded
     */
    Worker(Channel channel, int rank, int index, long seed, Room room, Arena memory) {
        this.channel = channel;
        this.rank = rank;
        this.index = index;
        this.seed = seed;
        this.header = memory.allocate(Message.BYTES, Long.BYTES);
        this.places = memory.allocate(JAVA_FLOAT, room.places() / Float.BYTES);
        this.frame = memory.allocate(room.frame(), Long.BYTES);
        this.answers = memory.allocate((long) room.shards() * Message.BYTES, Long.BYTES);
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

    /** What the header says that has come. */
    Message message() {
        return Message.read(header, 0);
    }

    /** It is heard again after {@link #awaitHeader}. */
    void pause() {
        isPaused = true;
    }

    /** It is lost, in the midst of whatever. */
    void leave() {
        pushing = null;
        awaited = null;
        isPaused = true;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Its pull is answered later. */
    void waitFor(Holding holding) {
        awaited = holding;
    }

    /** Whose values it waits for; null if it does not. */
    @Nullable Holding awaited() {
        return awaited;
    }

    /** Its slices come one by one; of one that is empty, none. */
    void awaitGradient(Message push, Holding holding) {
        pushing = push;
        received = 0;
        if (push.payload().isCoded()) {
            Slices.postRoom(channel, rank, frame, 0, push.payload().bytes());
        } else {
            Slices.postRoom(channel, rank, places, holding.place(), holding.shard().bytes());
        }
        decodeIfWhole(push, holding);
    }

    /** The push of which the gradient has come or will come; null where a header will. */
    @Nullable Message pushing() {
        return pushing;
    }

    /** Counts a slice of a push that has come. */
    void hasReceived(Message push, Holding holding) {
        received += Slices.length(received, push.payload().bytes());
        decodeIfWhole(push, holding);
    }

    private void decodeIfWhole(Message push, Holding holding) {
        if (push.payload().isCoded() && isWhole(push)) {
            holding.decode(rank, push, seed, frame, gradient(holding));
        }
    }

    private boolean isWhole(Message push) {
        return received == push.payload().bytes();
    }

    /** Whether all of a gradient has come. */
    boolean hasBrought() {
        return pushing != null && isWhole(pushing);
    }

    /** The bytes of the gradient that are there: slice by slice, but a frame only as a whole. */
    long arrived(Holding holding) {
        if (hasBrought()) {
            return holding.shard().bytes();
        }
        return pushing == null || pushing.payload().isCoded() ? 0 : received;
    }

    /** Where the gradients of all shards arrive. */
    MemorySegment places() {
        return places;
    }

    MemorySegment gradient(Holding holding) {
        return places.asSlice(holding.place(), holding.shard().bytes());
    }

    /** Says that a push has been taken, and hears on. */
    void answerPush(Message push, long staleness) {
        answer(new Message(Kind.APPLIED, push.shard(), push.version(), staleness, Payload.NONE));
        awaitHeader();
    }

    /** Straight from memory that must not change until the worker has them; and hears on. */
    void answer(Holding holding, Payload payload, MemorySegment values) {
        answer(new Message(Kind.VALUES, holding.shard().index(), holding.version(), 0, payload));
        Slices.send(channel, rank, values, 0, payload.bytes());
        awaitHeader();
    }

    /** Copies the values, so that they may change at once, however slow the worker's link. */
    void setAside(Holding holding) {
        MemorySegment.copy(holding.weights(), 0, places, holding.place(), holding.shard().bytes());
    }

    /** Sends what was set aside, and hears on. */
    void answerAside(Shard shard, long place, long version, long barriers) {
        Payload payload = Payload.plain(shard.bytes());
        answer(new Message(Kind.VALUES, shard.index(), version, barriers, payload));
        Slices.send(channel, rank, places, place, shard.bytes());
        awaitHeader();
    }

    private void answer(Message message) {
        long place = (long) message.shard() * Message.BYTES;
        message.write(answers, place);
        channel.send(rank, Content.PLAIN, answers, place, Message.BYTES);
    }
}
