package dev.equipoise.agent.training;

import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Rank state that an interrupted rank retains until it continues.
 *
 * @param position recovery point
 * @param numbers counters of this rank at the recovery point
 * @param tensors copies of {@link RankState#tensors}
 * @param samples samples of the epoch that this rank has trained on
 * @param lossSum sum of their losses, each before its update
 */
record RetainedState(
        Position position,
        List<Long> numbers,
        List<MemorySegment> tensors,
        int samples,
        double lossSum) {

    RetainedState {
        numbers = List.copyOf(numbers);
        tensors = List.copyOf(tensors);
    }

    /** Returns whether samples and loss belong to the epoch that continues at a position. */
    boolean isWithin(Position from) {
        return from.round() > 0 && from.epoch() == position.epoch();
    }

    /** Returns position and weight checksum for the service. */
    RetainedPoint held() {
        return new RetainedPoint(position, WeightChecksum.of(tensors.getFirst()));
    }
}
