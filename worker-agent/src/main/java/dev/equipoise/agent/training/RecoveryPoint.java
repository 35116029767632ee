package dev.equipoise.agent.training;

import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import dev.equipoise.protocol.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Recovery point: the last state from which this rank can continue after the loss of others. It is
 * the last state that all ranks shared, or, for methods whose replicas differ, the end of an epoch.
 * Only the rank's own thread uses it.
 */
final class RecoveryPoint {

    private final RankState state;
    private final List<MemorySegment> live;
    private final List<MemorySegment> copies;
    private final long[] numbers;
    private final boolean isOfEpochs;
    private Position position = Position.beginning(1);
    private int samples;
    private double lossSum;

    /**
     * @param copies memory for the state; empty if the live state is valid at any time
     */
    private RecoveryPoint(RankState state, List<MemorySegment> copies, boolean isOfEpochs) {
        this.state = state;
        this.live = state.tensors();
        this.copies = copies;
        this.numbers = new long[state.count()];
        this.isOfEpochs = isOfEpochs;
    }

    /**
     * Creates a recovery point after rounds in which all ranks have equal state.
     *
     * @param isRoundWhole whether an interrupted round leaves the state as before it, so that no
     *     copy is needed
     */
    static RecoveryPoint ofRounds(RankState state, boolean isRoundWhole) {
        return new RecoveryPoint(state, isRoundWhole ? List.of() : copies(state), false);
    }

    /** Creates a recovery point after epochs. */
    static RecoveryPoint ofEpochs(RankState state) {
        return new RecoveryPoint(state, copies(state), true);
    }

    private static List<MemorySegment> copies(RankState state) {
        return state.tensors().stream().map(RecoveryPoint::copy).toList();
    }

    private static MemorySegment copy(MemorySegment tensor) {
        return Arena.ofAuto().allocate(tensor.byteSize(), Float.BYTES).copyFrom(tensor);
    }

    boolean isOfEpochs() {
        return isOfEpochs;
    }

    /**
     * Moves the recovery point to the current state.
     *
     * @param trainedSamples samples of the epoch that this rank has trained on
     * @param loss sum of their losses
     */
    void at(Position newPosition, int trainedSamples, double loss) {
        position = newPosition;
        samples = trainedSamples;
        lossSum = loss;
        state.count(numbers);
        if (!copies.isEmpty()) {
            copy(live, copies);
        }
    }

    /** Returns position and weight checksum for the service. */
    RetainedPoint held() {
        return new RetainedPoint(position, WeightChecksum.of(kept().getFirst()));
    }

    private List<MemorySegment> kept() {
        return copies.isEmpty() ? live : copies;
    }

    /**
     * Returns a copy of the recovery point's state.
     *
     * @param trainedNanos training time since the run began, in nanoseconds
     */
    RetainedState retain(long trainedNanos) {
        return new RetainedState(
                position,
                LongStream.of(RankState.trained(numbers, trainedNanos)).boxed().toList(),
                kept().stream().map(RecoveryPoint::copy).toList(),
                samples,
                lossSum);
    }

    static void copy(List<MemorySegment> from, List<MemorySegment> to) {
        for (int i = 0; i < from.size(); i++) {
            to.get(i).copyFrom(from.get(i));
        }
    }
}
