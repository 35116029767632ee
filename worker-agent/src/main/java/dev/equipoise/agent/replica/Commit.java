package dev.equipoise.agent.replica;

import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import dev.equipoise.protocol.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The last moment of a training from which this rank can go on when others are lost: one at which
 * all had the same, or, where each goes its own way, the end of an epoch. The rank's own thread
 * uses it.
 */
final class Commit {

    private final RankMemory memory;
    private final List<MemorySegment> live;
    private final List<MemorySegment> copies;
    private final long[] numbers;
    private final boolean isOfEpochs;
    private Position position = Position.beginning(1);
    private int samples;
    private double lossSum;

    /**
     * @param copies room for them; none where what is live is good at any moment
     */
    private Commit(RankMemory memory, List<MemorySegment> copies, boolean isOfEpochs) {
        this.memory = memory;
        this.live = memory.tensors();
        this.copies = copies;
        this.numbers = new long[memory.count()];
        this.isOfEpochs = isOfEpochs;
    }

    /**
     * After rounds at which all have the same.
     *
     * @param isRoundWhole whether a round that is cut off leaves all as it was before it, so that
     *     no copy is needed
     */
    static Commit ofRounds(RankMemory memory, boolean isRoundWhole) {
        return new Commit(memory, isRoundWhole ? List.of() : copies(memory), false);
    }

    /** After epochs. */
    static Commit ofEpochs(RankMemory memory) {
        return new Commit(memory, copies(memory), true);
    }

    private static List<MemorySegment> copies(RankMemory memory) {
        return memory.tensors().stream().map(Commit::copy).toList();
    }

    private static MemorySegment copy(MemorySegment tensor) {
        return Arena.ofAuto().allocate(tensor.byteSize(), Float.BYTES).copyFrom(tensor);
    }

    boolean isOfEpochs() {
        return isOfEpochs;
    }

    /**
     * It is there.
     *
     * @param learnt samples of the epoch that this rank has trained on
     * @param loss its sum over these
     */
    void at(Position now, int learnt, double loss) {
        position = now;
        samples = learnt;
        lossSum = loss;
        memory.count(numbers);
        if (!copies.isEmpty()) {
            copy(live, copies);
        }
    }

    /** As the service hears of it. */
    Held held() {
        return new Held(position, Fingerprint.of(kept().getFirst()));
    }

    private List<MemorySegment> kept() {
        return copies.isEmpty() ? live : copies;
    }

    /**
     * What this rank can go on with, in memory of its own.
     *
     * @param trainedNanos of training since the run began
     */
    Parked park(long trainedNanos) {
        return new Parked(
                position,
                LongStream.of(RankMemory.trained(numbers, trainedNanos)).boxed().toList(),
                kept().stream().map(Commit::copy).toList(),
                samples,
                lossSum);
    }

    static void copy(List<MemorySegment> from, List<MemorySegment> to) {
        for (int i = 0; i < from.size(); i++) {
            to.get(i).copyFrom(from.get(i));
        }
    }
}
