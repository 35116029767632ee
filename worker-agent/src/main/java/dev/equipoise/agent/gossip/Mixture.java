package dev.equipoise.agent.gossip;

import java.util.List;
import java.util.stream.Stream;

/**
 * What one rank does at one exchange: it becomes {@code own() x + sum of weight y}.
 *
 * @param parts what it takes from others
 * @param recipients to whom it sends its own vector, once for each time that it comes
 */
public record Mixture(List<Part> parts, List<Integer> recipients) {

    public Mixture {
        parts = List.copyOf(parts);
        recipients = List.copyOf(recipients);
    }

    /** The weight that its own vector keeps: what the others leave of 1. */
    public double own() {
        double others = 0;
        for (Part part : parts) {
            others += part.weight();
        }
        return 1 - others;
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
}
