package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.ModelKeeping;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects the models that one rank stores: those of its best evaluations so far, or that of the
 * last one. The model of the last epoch is stored when the training has ended, from the weights
 * themselves. Only the rank's own thread uses it.
 */
final class ModelKeeper {

    private final ModelKeeping keeping;
    private final ModelStore store;
    private final int rank;
    private final int epochs;
    private final @Nullable ModelWriter writer;
    private @Nullable ModelScore best;
    private @Nullable Candidate atEnd;

    /** Weights that are stored when the training has ended. */
    private record Candidate(ModelScore score, MemorySegment weights) {}

    private ModelKeeper(
            TrainingPlan plan,
            int rank,
            ModelKeeping keeping,
            ModelStore store,
            @Nullable ModelWriter writer) {
        this.keeping = keeping;
        this.store = store;
        this.rank = rank;
        this.epochs = plan.epochs();
        this.writer = writer;
        this.best = keeping.best();
    }

    /**
     * Returns the keeper of a rank; empty if the rank stores no model. The first replica stores the
     * mean of all replicas, which every rank computes; each replica stores its own weights.
     *
     * @param background stores models during the training, and runs nothing else; null to store
     *     them in the rank's own thread
     */
    static Optional<ModelKeeper> of(
            TrainingPlan plan, int rank, ModelStore store, @Nullable BackgroundThread background) {
        ModelKeeping keeping = store.instructions().keeping();
        int first = plan.method().topology().servers();
        if (keeping == null
                || rank < first
                || (keeping.of() == ModelKeeping.WeightSource.MEAN && rank > first)) {
            return Optional.empty();
        }
        ModelWriter writer = background == null ? null : new ModelWriter(store, background, rank);
        return Optional.of(new ModelKeeper(plan, rank, keeping, store, writer));
    }

    /**
     * Takes an evaluation; called outside of all rounds.
     *
     * @param mean weights of the mean of all replicas
     * @param own weights of this replica
     */
    void evaluated(int epoch, Findings findings, MemorySegment mean, MemorySegment own)
            throws InterruptedException {
        switch (keeping.of()) {
            case MEAN -> take(score(epoch, findings.test()), mean);
            case BEST_REPLICA -> {
                if (findings.own() != null) {
                    take(score(epoch, findings.own()), own);
                }
            }
        }
    }

    private static ModelScore score(int epoch, Score score) {
        double predictions = (double) score.predictions();
        return new ModelScore(epoch, score.correct() / predictions, score.lossSum() / predictions);
    }

    private void take(ModelScore score, MemorySegment weights) throws InterruptedException {
        boolean isLast = score.epoch() == epochs;
        boolean isWanted =
                switch (keeping.kept()) {
                    case LAST -> isLast;
                    case BEST -> score.isBetterThan(best, keeping.by());
                };
        if (!isWanted) {
            if (writer != null) {
                writer.continueStoring();
            }
            return;
        }
        best = score;
        if (isLast) {
            atEnd = new Candidate(score, weights);
        } else if (writer != null) {
            writer.offer(score, weights);
        } else {
            store.store(rank, score, weights);
        }
    }

    /**
     * Stores the models that are not stored yet; called before the training ends, while the weights
     * of the last evaluation are unchanged.
     */
    void settle() throws InterruptedException {
        Candidate last = atEnd;
        atEnd = null;
        if (writer != null) {
            if (last == null) {
                writer.finish();
            } else {
                writer.finishWithoutWaiting();
            }
        }
        if (last != null) {
            store.store(rank, last.score(), last.weights());
        }
    }

    /** Drops the models that wait; called when the training stops before its end. */
    void drop() {
        atEnd = null;
        if (writer != null) {
            writer.drop();
        }
    }
}
