package dev.equipoise.agent.replica;

import dev.equipoise.agent.checkpoint.RankState;
import dev.equipoise.protocol.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The last moment of a training at which all ranks had the same: from there they go on when some of
 * them are lost. The rank's own thread uses it.
 */
final class Commit {

    private final List<MemorySegment> live;
    private final List<MemorySegment> kept;
    private final boolean isRoundWhole;
    private Position position = Position.beginning(1);
    private long steps;
    private long dropout;
    private int samples;
    private double lossSum;

    /**
     * @param live the weights, and the vectors that the optimizer remembers
     * @param isRoundWhole whether a round that is cut off leaves these as they were before it, so
     *     that no copy of them is needed
     * @param memory must outlive it
     */
    Commit(List<MemorySegment> live, boolean isRoundWhole, Arena memory) {
        this.live = List.copyOf(live);
        this.isRoundWhole = isRoundWhole;
        this.kept =
                isRoundWhole
                        ? this.live
                        : live.stream()
                                .map(it -> memory.allocate(it.byteSize(), Float.BYTES))
                                .toList();
    }

    /**
     * All ranks have the same now.
     *
     * @param made steps of this rank's optimizer
     * @param draws what this rank's dropout draws next
     * @param learnt samples of the epoch that this rank has trained on
     * @param loss its sum over these
     */
    void at(Position now, long made, long draws, int learnt, double loss) {
        position = now;
        steps = made;
        dropout = draws;
        samples = learnt;
        lossSum = loss;
        if (!isRoundWhole) {
            copy(live, kept);
        }
    }

    /**
     * What others can go on with, in memory of its own.
     *
     * @param trainedNanos of training since the run began
     */
    Parked park(long trainedNanos) {
        return new Parked(
                position,
                new RankState(steps, dropout, trainedNanos),
                kept.stream()
                        .map(it -> Arena.ofAuto().allocate(it.byteSize(), Float.BYTES).copyFrom(it))
                        .toList(),
                samples,
                lossSum);
    }

    static void copy(List<MemorySegment> from, List<MemorySegment> to) {
        for (int i = 0; i < from.size(); i++) {
            to.get(i).copyFrom(from.get(i));
        }
    }
}
