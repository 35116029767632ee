package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a run in which groups share the samples of an epoch, and the members of a group the
 * hidden units of a perceptron. Members at the same position of all groups have the same units.
 *
 * @param groups the ranks of each group, of which there are as many, in the order of their
 *     positions
 * @param units hidden units of each position, which follow one another
 */
public record Grouping(List<List<Integer>> groups, List<Integer> units) {

    public Grouping {
        Rules.notEmpty("groups", groups);
        Rules.notEmpty("units", units);
        groups = groups.stream().map(List::copyOf).toList();
        units = List.copyOf(units);
        units.forEach(each -> Rules.atLeast("units", each, 1));
        for (List<Integer> group : groups) {
            Rules.asMany("group", group, units);
        }
        List<Integer> ranks = groups.stream().flatMap(List::stream).sorted().toList();
        if (!ranks.equals(IntStream.range(0, ranks.size()).boxed().toList())) {
            throw new IllegalArgumentException(
                    "groups must have every rank once, but are " + groups);
        }
    }

    /** Groups, over which samples are shared: N_DP. */
    public int dataParallel() {
        return groups.size();
    }

    /** Members of a group, over which hidden units are shared: N_NP. */
    public int nodeParallel() {
        return units.size();
    }

    @JsonIgnore
    public int ranks() {
        return dataParallel() * nodeParallel();
    }

    /** The group that a rank is in, from 0. */
    public int groupOf(int rank) {
        return IntStream.range(0, groups.size())
                .filter(group -> groups.get(group).contains(rank))
                .findFirst()
                .orElseThrow();
    }

    /** The place of a rank in its group, from 0. */
    public int positionOf(int rank) {
        return groups.get(groupOf(rank)).indexOf(rank);
    }

    /** The ranks at a position, in the order of their groups. */
    public List<Integer> at(int position) {
        return groups.stream().map(group -> group.get(position)).toList();
    }

    /** The first of the hidden units of a position. */
    public int firstUnit(int position) {
        return units.stream().limit(position).mapToInt(Integer::intValue).sum();
    }

    /** Of all positions. */
    @JsonIgnore
    public int allUnits() {
        return firstUnit(nodeParallel());
    }
}
