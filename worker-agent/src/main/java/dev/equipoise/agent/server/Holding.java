package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * A shard in the hands of its server. Values go out straight from the weights; before these change,
 * the server waits for those workers to whom they are still on their way.
 */
final class Holding {

    private final Shard shard;
    private final MemorySegment weights;
    private final BitSet readers = new BitSet();
    private long version;

    Holding(Shard shard, MemorySegment initialVector, Arena memory) {
        this.shard = shard;
        this.weights = memory.allocate(JAVA_FLOAT, shard.elements());
        MemorySegment.copy(initialVector, shard.offset(), weights, 0, shard.bytes());
    }

    Shard shard() {
        return shard;
    }

    /** How often the weights have changed. */
    long version() {
        return version;
    }

    void send(Channel channel, Worker worker) {
        worker.answer(channel, Message.Kind.VALUES, this, shard.bytes());
        worker.send(channel, weights);
        readers.set(worker.rank());
    }

    void apply(Channel channel, Update update, MemorySegment gradient, long staleness) {
        for (int rank = readers.nextSetBit(0); rank >= 0; rank = readers.nextSetBit(rank + 1)) {
            channel.awaitSent(rank);
        }
        readers.clear();
        update.apply(shard, weights, gradient, staleness);
        version++;
    }
}
