package dev.equipoise.app.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs laid side by side. The first is the baseline of the runs, its group that of the groups.
 *
 * @param baseline the run that the others are measured against
 * @param target the test accuracy to which times are told, or null
 * @param groups in the order of their first runs
 */
record Comparison(
        RunId baseline,
        @Nullable Double target,
        List<ComparedRun> runs,
        List<ComparedGroup> groups) {

    /** A run with its configuration as a tree, so that any of its fields can tell it apart. */
    record Subject(ComparedRun.Alone run, JsonNode configuration) {}

    /**
     * Compares at least one run.
     *
     * @param target to which the runs were summed up
     */
    static Comparison of(List<Subject> subjects, @Nullable Double target) {
        List<JsonNode> configurations = subjects.stream().map(Comparison::withoutSeed).toList();
        List<JsonNode> distinct = configurations.stream().distinct().toList();
        List<String> labels = Labels.of(configurations);
        ComparedRun.Alone baseline = subjects.getFirst().run();
        List<ComparedRun> runs =
                IntStream.range(0, subjects.size())
                        .mapToObj(i ->
                                ComparedRun.of(
                                        subjects.get(i).run(),
                                        labels.get(i),
                                        distinct.indexOf(configurations.get(i)),
                                        baseline))
                        .toList();
        return new Comparison(baseline.run(), target, runs, groups(runs));
    }

    private static JsonNode withoutSeed(Subject subject) {
        return subject.configuration().asObject().deepCopy().without(List.of("seed", "automatic"));
    }

    private static List<ComparedGroup> groups(List<ComparedRun> runs) {
        List<List<ComparedRun>> groups =
                List.copyOf(
                        runs.stream()
                                .collect(groupingBy(ComparedRun::group, TreeMap::new, toList()))
                                .values());
        return groups.stream().map(group -> ComparedGroup.of(group, groups.getFirst())).toList();
    }
}
