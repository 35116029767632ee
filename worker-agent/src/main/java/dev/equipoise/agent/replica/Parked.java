package dev.equipoise.agent.replica;

import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.Position;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a rank keeps of a training that was interrupted, until it goes on.
 *
 * @param position where it goes on from
 * @param numbers that this rank counted there
 * @param tensors as {@link RankMemory#tensors} has them, in memory of their own
 * @param samples of the epoch that this rank has trained on
 * @param lossSum over these, before each update
 */
record Parked(
        Position position,
        List<Long> numbers,
        List<MemorySegment> tensors,
        int samples,
        double lossSum) {

    Parked {
        numbers = List.copyOf(numbers);
        tensors = List.copyOf(tensors);
    }

    /** Whether what was learnt of its epoch is a part of what is told of the one that goes on. */
    boolean isWithin(Position from) {
        return from.round() > 0 && from.epoch() == position.epoch();
    }

    /** As the service hears of it. */
    Held held() {
        return new Held(position, Fingerprint.of(tensors.getFirst()));
    }
}
