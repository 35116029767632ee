package dev.equipoise.app.compare;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.equipoise.app.run.RunState;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Completed runs of a seed group.
 *
 * @param bySeed runs by their seed; several if a seed ran repeatedly
 */
record SeedRuns(SortedMap<Long, List<ComparedRun>> bySeed) {

    static SeedRuns of(List<ComparedRun> group) {
        return new SeedRuns(
                group.stream()
                        .filter(run -> run.state() == RunState.COMPLETED)
                        .collect(groupingBy(ComparedRun::seed, TreeMap::new, toList())));
    }

    /** Returns the figures of all runs. */
    List<Figures> figures() {
        return all().map(ComparedRun::figures).toList();
    }

    /**
     * Returns a value by seed, as the mean of several runs with the same seed; empty if a run lacks
     * the value, because a comparison of only those that reached a target would flatter.
     */
    SortedMap<Long, Double> values(Function<ComparedRun, @Nullable Number> value) {
        if (all().map(value).anyMatch(Objects::isNull)) {
            return Collections.emptySortedMap();
        }
        SortedMap<Long, Double> values = new TreeMap<>();
        bySeed.forEach((seed, runs) -> values.put(seed, mean(runs, value)));
        return values;
    }

    private Stream<ComparedRun> all() {
        return bySeed.values().stream().flatMap(List::stream);
    }

    private static double mean(
            List<ComparedRun> runs, Function<ComparedRun, @Nullable Number> value) {
        return runs.stream()
                .collect(
                        averagingDouble(
                                run -> Objects.requireNonNull(value.apply(run)).doubleValue()));
    }
}
