package dev.equipoise.agent.replica;

import dev.equipoise.agent.service.AssignmentFailed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Watches the losses of one rank, and sees that the last weights are kept whose loss was a number.
 * A rank whose loss is none stops before it tells anybody its gradient.
 */
final class Divergence {

    private static final int SHOWN = 5;

    private final int rank;
    private final MemorySegment weights;
    private final GoodWeights goodWeights;
    private final Deque<Double> losses = new ArrayDeque<>();

    Divergence(int rank, MemorySegment weights, GoodWeights goodWeights) {
        this.rank = rank;
        this.weights = weights;
        this.goodWeights = goodWeights;
    }

    /**
     * Goes on only with a loss that is a number.
     *
     * @throws AssignmentFailed with the rank, its round and its last losses
     */
    void requireFinite(double loss, int epoch, int round) {
        requireNumber(loss, epoch, round);
        goodWeights.wereGood(weights, epoch, round);
    }

    /**
     * The same of a loss that is not that of the weights which are watched.
     *
     * @throws AssignmentFailed with the rank, its round and its last losses
     */
    void requireNumber(double loss, int epoch, int round) {
        if (losses.size() == SHOWN) {
            losses.removeFirst();
        }
        losses.addLast(loss);
        if (!Double.isFinite(loss)) {
            throw found(epoch, round, "the loss must be finite");
        }
    }

    /** With the rank, its round, its last losses and what is wrong; nothing is thrown yet. */
    AssignmentFailed found(int epoch, int round, String what) {
        return AssignmentFailed.byUser(
                "diverged",
                "the training diverged at %s: its last losses are %s; %s; %s"
                        .formatted(
                                position(rank, epoch, round),
                                lastLosses(),
                                what,
                                goodWeights.kept(rank)),
                null);
    }

    private String lastLosses() {
        return losses.stream()
                .map(loss -> String.format(Locale.ROOT, "%.4g", loss))
                .collect(Collectors.joining(", "));
    }

    static String position(int rank, int epoch, int round) {
        return "rank %d, epoch %d, round %d".formatted(rank, epoch, round);
    }
}
