package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.protocol.ModelScore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores models of one rank in the background, each from a copy of the weights, so that the
 * training continues meanwhile. At most one model is under way and one waits; a better one takes
 * the place of the one that waits. The two copies take twice as many bytes as the weights, from the
 * second model on. Only the rank's own thread uses it.
 */
final class ModelWriter {

    private final ModelStore store;
    private final BackgroundThread background;
    private final int rank;
    private @Nullable MemorySegment next;
    private @Nullable MemorySegment underWay;
    private @Nullable ModelScore waiting;

    /**
     * @param background runs nothing else
     */
    ModelWriter(ModelStore store, BackgroundThread background, int rank) {
        this.store = store;
        this.background = background;
        this.rank = rank;
    }

    /** Stores a copy of weights, in the place of the model that waits. */
    void offer(ModelScore score, MemorySegment weights) throws InterruptedException {
        if (next == null) {
            next = Arena.ofAuto().allocate(weights.byteSize(), Float.BYTES);
        }
        next.copyFrom(weights);
        waiting = score;
        continueStoring();
    }

    /** Begins to store the model that waits, unless another is under way. */
    void continueStoring() throws InterruptedException {
        if (waiting != null && background.isDone()) {
            start();
        }
    }

    private void start() throws InterruptedException {
        await();
        ModelScore score = Objects.requireNonNull(waiting);
        MemorySegment weights = Objects.requireNonNull(next);
        next = underWay;
        underWay = weights;
        waiting = null;
        background.start(() -> store(score, weights));
    }

    private void store(ModelScore score, MemorySegment weights) {
        try {
            store.store(rank, score, weights);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drops the model that waits; another may stay under way. */
    void drop() {
        waiting = null;
    }

    /** Waits until no model is under way, and drops the one that waits. */
    void finishWithoutWaiting() throws InterruptedException {
        drop();
        await();
    }

    /** Waits until all models are stored, or have failed. */
    void finish() throws InterruptedException {
        if (waiting != null) {
            start();
        }
        await();
    }

    private void await() throws InterruptedException {
        background.await();
        if (Thread.interrupted()) {
            throw new InterruptedException("storing a model");
        }
    }
}
