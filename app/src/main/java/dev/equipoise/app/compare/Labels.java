package dev.equipoise.app.compare;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.run.LabeledConfiguration;
import dev.equipoise.app.run.RunLabels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Labels of seed groups and of scaling lines. */
final class Labels {

    private static final Set<String> SEED = Set.of("seed");
    private static final Set<String> SEED_AND_REPLICAS = Set.of("seed", "workers.replicas");
    private static final String KIND = ".kind";

    private Labels() {}

    /**
     * Returns the number of the seed group of each run, from 0 in the order of their first runs.
     */
    static List<Integer> groups(List<LabeledConfiguration> runs) {
        Map<ConfigurationValues, Integer> groups = new HashMap<>();
        return runs.stream()
                .map(it -> it.values().without(SEED))
                .map(it -> {
                    int next = groups.size();
                    return groups.computeIfAbsent(it, _ -> next);
                })
                .toList();
    }

    /**
     * Returns the label of the seed group of each run. Groups that differ in derived fields alone
     * are numbered.
     */
    static List<String> ofGroups(List<LabeledConfiguration> runs) {
        List<Integer> groups = groups(runs);
        List<Integer> first = groups.stream().distinct().map(groups::indexOf).toList();
        List<String> titles =
                RunLabels.titles(
                        first.stream().map(runs::get).map(it -> it.without(SEED)).toList());
        List<String> labels =
                RunLabels.numbered(titles, IntStream.range(0, titles.size()).boxed().toList());
        return groups.stream().map(labels::get).toList();
    }

    /** Labels the scaling line of each run: its configuration without seed and replicas. */
    static List<String> ofLines(List<LabeledConfiguration> runs) {
        return RunLabels.titles(runs.stream().map(it -> it.without(SEED_AND_REPLICAS)).toList());
    }

    /** Returns the label of the value of one field; a dash stands for a missing one. */
    static String ofField(LabeledConfiguration run, String path) {
        return withoutKind(path) + "=" + run.values().byPath().getOrDefault(path, "-");
    }

    /**
     * Omits the field {@code kind}: {@code partitioning=equal} means the kind, as in a definition.
     */
    private static String withoutKind(String path) {
        return path.endsWith(KIND) ? path.substring(0, path.length() - KIND.length()) : path;
    }
}
