package dev.equipoise.agent.gossip;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * What one rank does at one exchange: it becomes {@code own() x + sum of weight y}.
 *
 * @param excess by how much all weights together are more than 1, or less: where mass goes one way,
 *     and a rank is lost
 * @param parts what it takes from others
 * @param recipients to whom it sends its own vector, once for each time that it comes
 */
public record Mixture(double excess, List<Part> parts, List<Integer> recipients) {

    public Mixture {
        parts = List.copyOf(parts);
        recipients = List.copyOf(recipients);
    }

    /** Its weights sum to 1. */
    Mixture(List<Part> parts, List<Integer> recipients) {
        this(0, parts, recipients);
    }

    /** The weight that its own vector keeps: what the others leave. */
    public double own() {
        double others = 0;
        for (Part part : parts) {
            others += part.weight();
        }
        return 1 + excess - others;
    }

    /** Everybody without whom the exchange of this rank cannot end, itself among them. */
    public List<Integer> participants(int rank) {
        return Stream.of(Stream.of(rank), parts.stream().map(Part::from), recipients.stream())
                .flatMap(it -> it)
                .distinct()
                .toList();
    }

    /** The vector of another rank, and how much it counts. */
    public record Part(int from, double weight) {}

    /** The parts that are left when ranks are lost. */
    List<Part> partsWithout(IntPredicate isLost) {
        return parts.stream().filter(part -> !isLost.test(part.from())).toList();
    }

    /** The recipients that are left when ranks are lost. */
    List<Integer> recipientsWithout(IntPredicate isLost) {
        return recipients.stream().filter(rank -> !isLost.test(rank)).toList();
    }
}
