package dev.equipoise.app.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Comparison of runs. The first run is the baseline of the runs, and its group the baseline of the
 * groups.
 *
 * @param baseline run that the others are compared with
 * @param target test accuracy of the times to accuracy, from 0 to 1; null without a target
 * @param compared the accuracy of which the differences and the times to accuracy are, as the
 *     definition of the baseline says
 * @param groups in the order of their first runs
 */
record Comparison(
        RunId baseline,
        @Nullable Double target,
        ComparedAccuracy compared,
        List<ComparedRun> runs,
        List<ComparedGroup> groups) {

    /** Run with its configuration as a tree, so that any field can distinguish it. */
    record Subject(ComparedRun.Summary run, JsonNode configuration) {}

    /**
     * Compares at least one run.
     *
     * @param criterion for which the runs were summarized
     */
    static Comparison of(List<Subject> subjects, Criterion criterion) {
        List<ComparedRun> runs = runs(subjects);
        return new Comparison(
                runs.getFirst().run(),
                criterion.target(),
                criterion.compared(),
                runs,
                groups(runs, criterion.compared()));
    }

    private static List<ComparedRun> runs(List<Subject> subjects) {
        List<JsonNode> configurations = subjects.stream().map(Comparison::withoutSeed).toList();
        List<JsonNode> distinct = configurations.stream().distinct().toList();
        List<String> labels = Labels.of(configurations);
        ComparedRun.Summary baseline = subjects.getFirst().run();
        return IntStream.range(0, subjects.size())
                .mapToObj(i ->
                        ComparedRun.of(
                                subjects.get(i).run(),
                                labels.get(i),
                                distinct.indexOf(configurations.get(i)),
                                baseline))
                .toList();
    }

    private static JsonNode withoutSeed(Subject subject) {
        return subject.configuration().asObject().deepCopy().without(List.of("seed", "automatic"));
    }

    private static List<ComparedGroup> groups(List<ComparedRun> runs, ComparedAccuracy compared) {
        List<List<ComparedRun>> groups =
                List.copyOf(
                        runs.stream()
                                .collect(groupingBy(ComparedRun::group, TreeMap::new, toList()))
                                .values());
        return groups.stream()
                .map(group -> ComparedGroup.of(group, groups.getFirst(), compared))
                .toList();
    }
}
