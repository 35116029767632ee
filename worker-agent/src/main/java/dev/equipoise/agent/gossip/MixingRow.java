package dev.equipoise.agent.gossip;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * One row of a mixing matrix: in one exchange the rank becomes {@code own() x + sum of weight y}.
 *
 * @param excess difference between the sum of all weights and 1; not 0 only if mass is sent one way
 *     and a rank is lost
 * @param parts weights of the received vectors
 * @param recipients ranks to which the rank sends its own vector, once for each occurrence
 */
public record MixingRow(double excess, List<Part> parts, List<Integer> recipients) {

    public MixingRow {
        parts = List.copyOf(parts);
        recipients = List.copyOf(recipients);
    }

    /** Creates a row whose weights sum to 1. */
    MixingRow(List<Part> parts, List<Integer> recipients) {
        this(0, parts, recipients);
    }

    /** The weight of the rank's own vector: the rest of the weights. */
    public double own() {
        double others = 0;
        for (Part part : parts) {
            others += part.weight();
        }
        return 1 + excess - others;
    }

    /** All ranks that this rank's exchange depends on, including itself. */
    public List<Integer> participants(int rank) {
        return Stream.of(Stream.of(rank), parts.stream().map(Part::from), recipients.stream())
                .flatMap(it -> it)
                .distinct()
                .toList();
    }

    /** The weight of the vector of another rank. */
    public record Part(int from, double weight) {}

    /** The parts of remaining ranks. */
    List<Part> partsWithout(IntPredicate isLost) {
        return parts.stream().filter(part -> !isLost.test(part.from())).toList();
    }

    /** The recipients that remain. */
    List<Integer> recipientsWithout(IntPredicate isLost) {
        return recipients.stream().filter(rank -> !isLost.test(rank)).toList();
    }
}
