package dev.equipoise.agent.training;

import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.training.Evaluation.Findings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Detects divergence: checks the losses of one rank, and keeps its last weights with a finite loss.
 * A rank with a non-finite loss stops before it sends its gradient.
 */
final class DivergenceDetector {

    private static final int MAX_SHOWN_LOSSES = 5;

    private final LoopPosition position;
    private final MemorySegment weights;
    private final LastFiniteWeights finiteWeights;
    private final Deque<Double> losses = new ArrayDeque<>();

    /**
     * @param position position of the observed loop
     */
    DivergenceDetector(
            LoopPosition position, MemorySegment weights, LastFiniteWeights finiteWeights) {
        this.position = position;
        this.weights = weights;
        this.finiteWeights = finiteWeights;
    }

    /**
     * Checks the loss of the current weights, and keeps these if it is finite.
     *
     * @throws AssignmentFailed when the loss is not finite, with rank, round and last losses
     */
    void requireFinite(double loss) {
        requireNumber(loss);
        finiteWeights.update(weights, position.epoch(), position.round());
    }

    /**
     * Checks an evaluation of the current weights, and keeps these if its loss is finite.
     *
     * @throws AssignmentFailed when a figure is not finite, with rank, round and last losses
     */
    void requireFinite(Findings findings) {
        requireFinite(findings.test().lossSum());
        if (!findings.areFinite()) {
            throw found("the loss of the replica and the distance of all must be finite");
        }
    }

    /**
     * Checks a loss that belongs to other weights than the observed ones.
     *
     * @throws AssignmentFailed when the loss is not finite, with rank, round and last losses
     */
    void requireNumber(double loss) {
        if (losses.size() == MAX_SHOWN_LOSSES) {
            losses.removeFirst();
        }
        losses.addLast(loss);
        if (!Double.isFinite(loss)) {
            throw found("the loss must be finite");
        }
    }

    /** Returns the failure, with rank, round, last losses and cause. */
    AssignmentFailed found(String cause) {
        return AssignmentFailed.byUser(
                "diverged",
                "the training diverged at %s: its last losses are %s; %s; %s"
                        .formatted(
                                position,
                                lastLosses(),
                                cause,
                                finiteWeights.store(position.rank())),
                null);
    }

    private String lastLosses() {
        return losses.stream()
                .map(loss -> String.format(Locale.ROOT, "%.4g", loss))
                .collect(Collectors.joining(", "));
    }
}
