package dev.equipoise.agent.gossip;

import dev.equipoise.agent.gossip.MixingRow.Part;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A mixing matrix K of gossip (docs/algorithms.md, section 2.2): in one exchange rank i becomes the
 * sum over j of K_ij x_j. Rows sum to 1, so equal vectors stay unchanged; the columns determine the
 * limit to which the ranks converge.
 */
public sealed interface Mixing {

    /** Returns the row of a rank for the partners that its {@link Schedule} names. */
    MixingRow of(int rank, List<Integer> partners);

    /**
     * Returns the row without lost partners (docs/algorithms.md, section 11): their weights stay
     * with the rank itself, on both sides, so that the matrix of the remaining ranks is of the same
     * kind.
     */
    default MixingRow without(MixingRow row, IntPredicate isLost) {
        return new MixingRow(row.partsWithout(isLost), row.recipientsWithout(isLost));
    }

    /**
     * Uniform mixing: a rank becomes the mean of itself and its partners. K is symmetric, so the
     * limit is the mean of all ranks.
     */
    record Uniform() implements Mixing {

        @Override
        public MixingRow of(int rank, List<Integer> partners) {
            double share = share(partners);
            return new MixingRow(
                    partners.stream().map(partner -> new Part(partner, share)).toList(), partners);
        }
    }

    /**
     * Metropolis weights (Metropolis and Hastings; docs/algorithms.md, section 2.3): a partner has
     * the weight {@code share min(1, n_j / n_i)}, the rank itself has the rest. Since {@code n_i
     * K_ij = n_j K_ji}, the limit is the mean weighted by samples, which every exchange preserves.
     *
     * @param samples of each rank, all positive; equal on all ranks
     */
    record Metropolis(List<Long> samples) implements Mixing {

        public Metropolis {
            samples = List.copyOf(samples);
            for (long count : samples) {
                if (count <= 0) {
                    throw new IllegalArgumentException(
                            "every rank must have at least 1 sample, but the samples are "
                                    + samples);
                }
            }
        }

        @Override
        public MixingRow of(int rank, List<Integer> partners) {
            double share = share(partners);
            return new MixingRow(
                    partners.stream()
                            .map(partner -> new Part(partner, share * acceptance(rank, partner)))
                            .toList(),
                    partners);
        }

        private double acceptance(int rank, int partner) {
            return Math.min(1, (double) samples.get(partner) / samples.get(rank));
        }
    }

    /**
     * Push-sum, one way: a rank keeps one half and sends the other to its right partner (stochastic
     * gradient push, Assran et al. 2019, arXiv 1811.10792), in half the bytes of the other mixings.
     * Columns sum to 1, so no mass is lost: a {@link PushSumVector}, which carries its mass along,
     * converges to the mean weighted by mass. Over distances 1, 2, 4, ... and a power of two of
     * ranks it reaches the mean after one cycle.
     */
    record PushSum() implements Mixing {

        @Override
        public MixingRow of(int rank, List<Integer> partners) {
            if (partners.isEmpty()) {
                return new MixingRow(List.of(), List.of());
            }
            return new MixingRow(
                    List.of(new Part(partners.getFirst(), 0.5)), List.of(partners.getLast()));
        }

        /** Keeps the mass for a lost recipient; received mass is added to it. */
        @Override
        public MixingRow without(MixingRow row, IntPredicate isLost) {
            List<Integer> recipients = row.recipientsWithout(isLost);
            List<Part> parts = row.partsWithout(isLost);
            boolean isSending = recipients.size() == row.recipients().size();
            double own = isSending ? row.own() : 1;
            double receivedWeight = parts.stream().mapToDouble(Part::weight).sum();
            return new MixingRow(own + receivedWeight - 1, parts, recipients);
        }
    }

    private static double share(List<Integer> partners) {
        return 1.0 / (1 + partners.size());
    }
}
