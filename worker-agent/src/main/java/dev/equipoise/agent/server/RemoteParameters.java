package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.Slices;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The weights as a worker sees them, who trains on a copy. All servers are asked before the first
 * answer is awaited. An answer says that the question and its gradient have been taken, so their
 * memory is free again.
 *
 * <p>Every method throws {@link dev.equipoise.agent.channel.ChannelFailed} when a rank is lost, and
 * {@link MessageRefused} when a server answers what was not asked; the weights that were on their
 * way are then undefined.
 */
public final class RemoteParameters {

    private final Channel channel;
    private final Roles roles;
    private final Sharding sharding;

    /** A place for each shard, and one to leave. */
    private final MemorySegment questions;

    private final MemorySegment answers;
    private final long[] versions;

    /**
     * @param sharding equal on all ranks, as are {@code roles}
     * @param memory must outlive it
     */
    public RemoteParameters(Channel channel, Roles roles, Sharding sharding, Arena memory) {
        roles.requireServed(sharding);
        this.channel = channel;
        this.roles = roles;
        this.sharding = sharding;
        int shards = sharding.shards().size();
        this.questions = memory.allocate((shards + 1L) * Message.BYTES, Long.BYTES);
        this.answers = memory.allocate((long) shards * Message.BYTES, Long.BYTES);
        this.versions = new long[shards];
    }

    /** The version of the shard that was read last. */
    public long version(int shard) {
        return versions[shard];
    }

    /**
     * Overwrites the weights by those of the servers; those of one shard are of one version.
     *
     * @param weights the whole vector of float32
     */
    public void pull(MemorySegment weights) {
        requireLength(weights);
        for (Shard shard : sharding.shards()) {
            ask(shard, new Message(Kind.PULL, shard.index(), 0, 0));
            awaitValues(shard, weights);
        }
        for (Shard shard : sharding.shards()) {
            takeValues(shard);
        }
    }

    /**
     * Brings a gradient to asynchronous servers; returns when it is applied.
     *
     * @param gradient the whole vector, computed on the weights that were pulled last
     */
    public void push(MemorySegment gradient) {
        requireLength(gradient);
        for (Shard shard : sharding.shards()) {
            bring(shard, gradient);
            awaitAnswer(shard);
        }
        for (Shard shard : sharding.shards()) {
            takeAnswer(shard, Kind.APPLIED, 0);
        }
    }

    /**
     * A round of synchronous servers: brings a gradient and overwrites the weights by what has come
     * of all workers' gradients. Every worker calls it equally often.
     */
    public void exchange(MemorySegment gradient, MemorySegment weights) {
        requireLength(gradient);
        requireLength(weights);
        List<Shard> shards = sharding.shards();
        for (Shard shard : shards) {
            begin(shard, gradient, weights);
        }
        for (Shard shard : shards) {
            end(shard);
        }
    }

    /**
     * Begins a round for one shard, as soon as the gradient of a layer is known; all workers take
     * the shards of one server in the same order. Neither range may be touched until {@link #end}.
     */
    public void begin(Shard shard, MemorySegment gradient, MemorySegment weights) {
        bring(shard, gradient);
        awaitValues(shard, weights);
    }

    /** Returns when the weights of the shard are new; in the order in which they were begun. */
    public void end(Shard shard) {
        takeValues(shard);
    }

    /** Tells the servers that this worker says nothing more. */
    public void leave() {
        long place = questions.byteSize() - Message.BYTES;
        new Message(Kind.LEAVE, 0, 0, 0).write(questions, place);
        for (int server = 0; server < roles.servers(); server++) {
            channel.send(server, Content.PLAIN, questions, place, Message.BYTES);
        }
        for (int server = 0; server < roles.servers(); server++) {
            channel.awaitSent(server);
        }
    }

    private void bring(Shard shard, MemorySegment gradient) {
        int index = shard.index();
        ask(shard, new Message(Kind.PUSH, index, versions[index], shard.bytes()));
        Slices.send(channel, shard.server(), gradient, shard.offset(), shard.bytes());
    }

    private void ask(Shard shard, Message question) {
        long place = place(shard);
        question.write(questions, place);
        channel.send(shard.server(), Content.PLAIN, questions, place, Message.BYTES);
    }

    private void awaitAnswer(Shard shard) {
        channel.receive(shard.server(), answers, place(shard), Message.BYTES);
    }

    private void awaitValues(Shard shard, MemorySegment weights) {
        awaitAnswer(shard);
        Slices.postRoom(channel, shard.server(), weights, shard.offset(), shard.bytes());
    }

    private void takeValues(Shard shard) {
        Message answer = takeAnswer(shard, Kind.VALUES, shard.bytes());
        Slices.awaitReceived(channel, shard.server(), shard.bytes());
        versions[shard.index()] = answer.version();
    }

    private Message takeAnswer(Shard shard, Kind kind, long bytes) {
        channel.awaitReceived(shard.server());
        return Message.read(answers, place(shard)).requireAnswer(kind, shard, bytes);
    }

    private static long place(Shard shard) {
        return (long) shard.index() * Message.BYTES;
    }

    private void requireLength(MemorySegment vector) {
        if (vector.byteSize() != sharding.bytes()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(sharding.bytes(), vector.byteSize()));
        }
    }
}
