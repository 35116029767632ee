package dev.equipoise.app.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Comparison of runs. The first run is the baseline of the runs, and its group the baseline of the
 * groups.
 *
 * @param baseline run that the others are compared with
 * @param target test accuracy of the times to accuracy, from 0 to 1; null without a target
 * @param compared the accuracy that differences, rankings and times to accuracy refer to, as the
 *     definition of the baseline says
 * @param runs compared runs, the baseline first
 * @param groups seed groups, in the order of their first runs
 * @param rankings orders of the groups by accuracy and times; empty for a single group
 * @param scaling times of the completed runs over their numbers of replicas
 */
record Comparison(
        RunId baseline,
        @Nullable Double target,
        ComparedAccuracy compared,
        List<ComparedRun> runs,
        List<ComparedGroup> groups,
        List<ComparedRanking> rankings,
        List<ScalingPoint> scaling) {

    private static final String REPLICAS = "replicas";

    /** Run with its configuration as a tree, so that any field can distinguish it. */
    record Subject(ComparedRun.Summary run, JsonNode configuration) {}

    /**
     * Compares at least one run.
     *
     * @param criterion for which the runs were summarized
     * @param line dotted path of the field that the runs of a scaling line have in common; null for
     *     runs that differ in replicas and seed alone
     */
    static Comparison of(List<Subject> subjects, Criterion criterion, @Nullable String line) {
        List<ComparedRun> runs = runs(subjects);
        List<List<ComparedRun>> groups = groups(runs);
        return new Comparison(
                runs.getFirst().run(),
                criterion.target(),
                criterion.compared(),
                runs,
                groups.stream()
                        .map(it -> ComparedGroup.of(it, groups.getFirst(), criterion.compared()))
                        .toList(),
                ComparedRanking.of(groups.stream().map(SeedRuns::of).toList(), criterion),
                ScalingPoint.of(timedRuns(subjects, runs, line)));
    }

    private static List<ScalingPoint.TimedRun> timedRuns(
            List<Subject> subjects, List<ComparedRun> runs, @Nullable String line) {
        List<String> lines = line == null ? lines(subjects) : lines(subjects, line);
        return IntStream.range(0, runs.size())
                .filter(i -> runs.get(i).state() == RunState.COMPLETED)
                .mapToObj(i ->
                        new ScalingPoint.TimedRun(
                                lines.get(i),
                                subjects.get(i).configuration().at("/workers/replicas").asInt(),
                                runs.get(i)))
                .toList();
    }

    private static List<String> lines(List<Subject> subjects, String field) {
        return subjects.stream().map(it -> Labels.ofField(it.configuration(), field)).toList();
    }

    /** Labels the configurations without their seed and their number of replicas. */
    private static List<String> lines(List<Subject> subjects) {
        return Labels.of(
                subjects.stream()
                        .map(it -> {
                            ObjectNode configuration = withoutSeed(it);
                            configuration.withObject("workers").remove(REPLICAS);
                            return (JsonNode) configuration;
                        })
                        .toList());
    }

    private static List<ComparedRun> runs(List<Subject> subjects) {
        List<JsonNode> configurations =
                subjects.stream().<JsonNode>map(Comparison::withoutSeed).toList();
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

    private static ObjectNode withoutSeed(Subject subject) {
        return subject.configuration().asObject().deepCopy().without(List.of("seed", "automatic"));
    }

    private static List<List<ComparedRun>> groups(List<ComparedRun> runs) {
        return List.copyOf(
                runs.stream()
                        .collect(groupingBy(ComparedRun::group, TreeMap::new, toList()))
                        .values());
    }
}
