package dev.equipoise.performance.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Processors in groups. A group has all hidden units, its members some each; a group takes some of
 * the samples. The members at the same position of all groups have the same units.
 *
 * @param groups of equal size, each with its slowest member first
 */
public record Formation(List<List<Member>> groups) {

    public Formation {
        groups = groups.stream().map(List::copyOf).toList();
    }

    /**
     * A processor.
     *
     * @param rank its number
     * @param capability how many times as fast as one of capability 1
     */
    public record Member(int rank, double capability) {

        public Member {
            if (!(capability > 0 && capability < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the capability of processor %d must be positive, not %s"
                                .formatted(rank, capability));
            }
        }
    }

    /**
     * By ascending capability, cut into blocks that follow one another.
     *
     * @param capabilities in the order of the ranks
     * @param groups a divisor of their number
     */
    public static Formation of(List<Double> capabilities, int groups) {
        if (groups < 1 || capabilities.size() % groups != 0) {
            throw new IllegalArgumentException(
                    "%d processors cannot form %d groups of equal size"
                            .formatted(capabilities.size(), groups));
        }
        List<Member> ascending =
                IntStream.range(0, capabilities.size())
                        .mapToObj(rank -> new Member(rank, capabilities.get(rank)))
                        .sorted(Comparator.comparingDouble(Member::capability))
                        .toList();
        int size = capabilities.size() / groups;
        List<List<Member>> blocks = new ArrayList<>();
        for (int first = 0; first < ascending.size(); first += size) {
            blocks.add(ascending.subList(first, first + size));
        }
        return new Formation(blocks);
    }

    /** Groups over which samples are shared: N_DP. */
    public int dataParallel() {
        return groups.size();
    }

    /** Members of a group, over which hidden units are shared: N_NP. */
    public int nodeParallel() {
        return groups.getFirst().size();
    }

    double capability(int group, int position) {
        return groups.get(group).get(position).capability();
    }

    /** That of a group's slowest member. */
    double slowest(int group) {
        return capability(group, 0);
    }

    double sumOfSlowest() {
        return IntStream.range(0, dataParallel()).mapToDouble(this::slowest).sum();
    }
}
