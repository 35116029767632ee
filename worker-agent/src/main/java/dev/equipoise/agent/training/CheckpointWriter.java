package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.time.BackgroundThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Stores the checkpoint parts of one rank in the background, each from a copy of the rank state, so
 * that the training continues meanwhile. At most one part is under way: the next one waits for its
 * end, so that all ranks store parts after the same epochs. The copy takes as many bytes as the
 * tensors of the part, from the first checkpoint on. Only the rank's own thread uses it.
 */
final class CheckpointWriter {

    private final Checkpoints checkpoints;
    private final BackgroundThread background;
    private final RankState state;
    private final int rank;
    private final int ranks;
    private List<MemorySegment> copies = List.of();

    /** Whether the service has the latest part; read when the task that writes it has ended. */
    private boolean isStored;

    /**
     * @param background runs nothing else
     * @param ranks number of ranks that store a part
     */
    CheckpointWriter(
            Checkpoints checkpoints,
            BackgroundThread background,
            RankState state,
            int rank,
            int ranks) {
        this.checkpoints = checkpoints;
        this.background = background;
        this.state = state;
        this.rank = rank;
        this.ranks = ranks;
    }

    /**
     * Begins to store the state after an epoch, once the part before is stored or has failed.
     *
     * @throws InterruptedException when the thread was interrupted; interrupts the part under way
     */
    void begin(int epoch) throws InterruptedException {
        await();
        RankStatePart copy = copy(state.part(rank));
        background.start(() -> keep(epoch, copy));
    }

    /**
     * Waits until no part is under way.
     *
     * @return whether the service has the latest part
     * @throws InterruptedException when the thread was interrupted; interrupts the part under way
     */
    boolean await() throws InterruptedException {
        background.await();
        if (Thread.interrupted()) {
            throw new InterruptedException("storing a checkpoint");
        }
        return isStored;
    }

    private void keep(int epoch, RankStatePart part) {
        isStored = false;
        try {
            isStored = checkpoints.keep(epoch, ranks, part);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private RankStatePart copy(RankStatePart part) {
        List<MemorySegment> tensors = part.tensors();
        if (copies.isEmpty()) {
            copies = tensors.stream().map(CheckpointWriter::allocateLike).toList();
        }
        RecoveryPoint.copy(tensors, copies);
        int common = part.common().size();
        return new RankStatePart(
                rank,
                part.numbers(),
                copies.subList(0, common),
                copies.subList(common, copies.size()));
    }

    private static MemorySegment allocateLike(MemorySegment tensor) {
        return Arena.ofAuto().allocate(tensor.byteSize(), Float.BYTES);
    }
}
