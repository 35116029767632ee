package dev.equipoise.performance.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Group formation: groups share the samples, and the members of each group share the hidden units
 * (docs/algorithms.md, section 8). Members at the same position of all groups have the same units.
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
     * @param capability speed relative to a processor of capability 1
     */
    public record Member(int rank, double capability) {

        public Member {
            if (!(capability > 0 && capability < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "capability %2$s of processor %1$d is out of range: positive, finite"
                                .formatted(rank, capability));
            }
        }
    }

    /**
     * Sorts processors by capability and cuts them into blocks, the slowest first.
     *
     * @param capabilities in rank order
     * @param groups a divisor of the number of processors
     */
    public static Formation of(List<Double> capabilities, int groups) {
        if (groups < 1 || capabilities.size() % groups != 0) {
            throw new IllegalArgumentException(
                    "%d processors cannot form %d groups of equal size: use a divisor"
                            .formatted(capabilities.size(), groups));
        }
        List<Member> ascending = ascending(capabilities);
        int size = capabilities.size() / groups;
        List<List<Member>> blocks = new ArrayList<>();
        for (int first = 0; first < ascending.size(); first += size) {
            blocks.add(ascending.subList(first, first + size));
        }
        return new Formation(blocks);
    }

    private static List<Member> ascending(List<Double> capabilities) {
        return IntStream.range(0, capabilities.size())
                .mapToObj(rank -> new Member(rank, capabilities.get(rank)))
                .sorted(Comparator.comparingDouble(Member::capability))
                .toList();
    }

    /** Number of groups, which share the samples: N_DP. */
    public int dataParallel() {
        return groups.size();
    }

    /** Members of a group, which share the hidden units: N_NP. */
    public int nodeParallel() {
        return groups.getFirst().size();
    }

    double capability(int group, int position) {
        return groups.get(group).get(position).capability();
    }

    /** Capability of a group's slowest member. */
    double slowest(int group) {
        return capability(group, 0);
    }

    double sumOfSlowest() {
        return IntStream.range(0, dataParallel()).mapToDouble(this::slowest).sum();
    }
}
