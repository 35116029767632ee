package dev.equipoise.agent.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.model.PredictedSample.Candidate;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.network.Loss;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Ranks the classes by the scores of a network, with the same best class as an evaluation. */
final class ClassRanking {

    private final Objective objective;
    private final int top;

    /**
     * @param top number of classes, at most those of the objective; 1 for a distributed target code
     */
    ClassRanking(Objective objective, int top) {
        this.objective = objective;
        this.top = top;
    }

    /** Returns the largest number of ranked classes. */
    static int most(TargetCode targets) {
        return targets instanceof TargetCode.OneHot ? targets.classes() : 1;
    }

    /**
     * Returns the most likely classes, the best first.
     *
     * @param from index of the first score of the row
     */
    List<Candidate> rank(MemorySegment scores, long from) {
        TargetCode targets = objective.targets();
        return targets instanceof TargetCode.OneHot
                ? rank(scores, from, targets.classes())
                : List.of(new Candidate(targets.nearest(scores, from), null));
    }

    private List<Candidate> rank(MemorySegment scores, long from, int classes) {
        List<Candidate> candidates = new ArrayList<>();
        BitSet taken = new BitSet(classes);
        double scale = isProbability() ? logOfSum(scores, from, classes) : 0;
        for (int rank = 0; rank < top; rank++) {
            int best = best(scores, from, classes, taken);
            taken.set(best);
            double score = scores.getAtIndex(JAVA_FLOAT, from + best);
            candidates.add(new Candidate(best, isProbability() ? Math.exp(score - scale) : score));
        }
        return candidates;
    }

    boolean isProbability() {
        return objective.loss().kind() == Loss.Kind.SOFTMAX_CROSS_ENTROPY;
    }

    /** Returns the best class that is not taken; of equal scores the first, as an evaluation. */
    private static int best(MemorySegment scores, long from, int classes, BitSet taken) {
        int best = taken.nextClearBit(0);
        for (int label = best + 1; label < classes; label++) {
            if (!taken.get(label)
                    && scores.getAtIndex(JAVA_FLOAT, from + label)
                            > scores.getAtIndex(JAVA_FLOAT, from + best)) {
                best = label;
            }
        }
        return best;
    }

    /** Returns the logarithm of the sum of the exponentials, without overflow. */
    private static double logOfSum(MemorySegment scores, long from, int classes) {
        int best = best(scores, from, classes, new BitSet());
        double max = scores.getAtIndex(JAVA_FLOAT, from + best);
        double sum = 0;
        for (int label = 0; label < classes; label++) {
            sum += Math.exp(scores.getAtIndex(JAVA_FLOAT, from + label) - max);
        }
        return max + Math.log(sum);
    }
}
