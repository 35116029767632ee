package dev.equipoise.agent.gossip;

import dev.equipoise.agent.gossip.Mixture.Part;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * How much each vector counts. The weights of one exchange make a matrix K of which row i says what
 * rank i becomes. Rows sum to 1, so ranks that agree stay as they are; what the columns do says on
 * what they agree in the end.
 */
public sealed interface Mixing {

    /** What a rank does with the partners that its {@link Schedule} names. */
    Mixture of(int rank, List<Integer> partners);

    /**
     * The same when some of them are lost: what they would have counted stays with the rank itself,
     * on both sides, so that the matrix among those that are left is of the same kind.
     */
    default Mixture without(Mixture mixture, IntPredicate isLost) {
        return new Mixture(mixture.partsWithout(isLost), mixture.recipientsWithout(isLost));
    }

    /** The mean of all that meet, both ways. K is symmetric: the end is the mean of all ranks. */
    record Uniform() implements Mixing {

        @Override
        public Mixture of(int rank, List<Integer> partners) {
            double share = share(partners);
            return new Mixture(
                    partners.stream().map(partner -> new Part(partner, share)).toList(), partners);
        }
    }

    /**
     * Metropolis and Hastings: a partner counts {@code share min(1, n_j / n_i)}, the rest is the
     * rank's own. {@code n_i K_ij = n_j K_ji}, so the end is the mean weighted by samples, which
     * every exchange preserves.
     *
     * @param samples of each rank, all positive; equal on all ranks
     */
    record Metropolis(List<Long> samples) implements Mixing {

        public Metropolis {
            samples = List.copyOf(samples);
            for (long count : samples) {
                if (count <= 0) {
                    throw new IllegalArgumentException(
                            "every rank must have samples, but they are " + samples);
                }
            }
        }

        @Override
        public Mixture of(int rank, List<Integer> partners) {
            double share = share(partners);
            return new Mixture(
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
     * One way: a rank keeps one half and gives the other to its right partner (stochastic gradient
     * push, Assran et al. 2019, arXiv 1811.10792), for half the bytes of the others. Columns sum to
     * 1, so nothing is lost: a {@link PushSumVector} that carries its mass along ends at the mean
     * weighted by mass. Over distances 1, 2, 4, ... of a power of two of ranks the end is there
     * after one round.
     */
    record PushSum() implements Mixing {

        @Override
        public Mixture of(int rank, List<Integer> partners) {
            if (partners.isEmpty()) {
                return new Mixture(List.of(), List.of());
            }
            return new Mixture(
                    List.of(new Part(partners.getFirst(), 0.5)), List.of(partners.getLast()));
        }

        /** What it would have given to a rank that is lost it keeps; what comes is more. */
        @Override
        public Mixture without(Mixture mixture, IntPredicate isLost) {
            List<Integer> recipients = mixture.recipientsWithout(isLost);
            List<Part> parts = mixture.partsWithout(isLost);
            boolean gives = recipients.size() == mixture.recipients().size();
            double own = gives ? mixture.own() : 1;
            double taken = parts.stream().mapToDouble(Part::weight).sum();
            return new Mixture(own + taken - 1, parts, recipients);
        }
    }

    private static double share(List<Integer> partners) {
        return 1.0 / (1 + partners.size());
    }
}
