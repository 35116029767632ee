package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Group formation of a hybrid run: groups share the samples of an epoch, and the members of a group
 * share the hidden units of a perceptron (docs/algorithms.md, section 8). Members at the same
 * position of all groups have the same units.
 *
 * @param groups ranks of each group in the order of their positions, all groups of one size
 * @param units number of hidden units of each position; positions own consecutive units
 */
public record Grouping(List<List<Integer>> groups, List<Integer> units) {

    public Grouping {
        Rules.notEmpty("groups", groups);
        Rules.notEmpty("units", units);
        groups = groups.stream().map(List::copyOf).toList();
        units = List.copyOf(units);
        units.forEach(each -> Rules.atLeast("units", each, 1));
        for (List<Integer> group : groups) {
            Rules.sameSize("group", group, units);
        }
        List<Integer> ranks = groups.stream().flatMap(List::stream).sorted().toList();
        if (!ranks.equals(IntStream.range(0, ranks.size()).boxed().toList())) {
            throw new IllegalArgumentException(
                    "groups must have every rank once, but are " + groups);
        }
    }

    /** Returns the number of groups, which share the samples: N_DP. */
    public int dataParallel() {
        return groups.size();
    }

    /** Returns the number of members of a group, which share the hidden units: N_NP. */
    public int nodeParallel() {
        return units.size();
    }

    @JsonIgnore
    public int ranks() {
        return dataParallel() * nodeParallel();
    }

    /** Returns the group of a rank, from 0. */
    public int groupOf(int rank) {
        return IntStream.range(0, groups.size())
                .filter(group -> groups.get(group).contains(rank))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the position of a rank in its group, from 0. */
    public int positionOf(int rank) {
        return groups.get(groupOf(rank)).indexOf(rank);
    }

    /** Returns the ranks at a position, in group order. */
    public List<Integer> at(int position) {
        return groups.stream().map(group -> group.get(position)).toList();
    }

    /** Returns the index of the first hidden unit of a position. */
    public int firstUnit(int position) {
        return units.stream().limit(position).mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of hidden units of all positions. */
    @JsonIgnore
    public int allUnits() {
        return firstUnit(nodeParallel());
    }
}
