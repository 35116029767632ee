package dev.equipoise.agent.server;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A shard in the hands of its server. */
final class Holding {

    private final Shard shard;
    private final long place;
    private final MemorySegment weights;
    private long version;

    /**
     * @param place of the shard among those of its server, in bytes
     */
    Holding(Shard shard, long place, MemorySegment initialVector, Arena memory) {
        this.shard = shard;
        this.place = place;
        this.weights = memory.allocate(JAVA_FLOAT, shard.elements());
        MemorySegment.copy(initialVector, shard.offset(), weights, 0, shard.bytes());
    }

    Shard shard() {
        return shard;
    }

    long place() {
        return place;
    }

    MemorySegment weights() {
        return weights;
    }

    /** How often the weights have changed. */
    long version() {
        return version;
    }

    void apply(Update update, MemorySegment gradient, long staleness) {
        update.apply(shard, weights, gradient, staleness);
        version++;
    }
}
