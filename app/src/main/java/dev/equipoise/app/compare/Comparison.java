package dev.equipoise.app.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.FieldDifference;
import dev.equipoise.app.run.LabeledConfiguration;
import dev.equipoise.app.run.RunLabels;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
 * @param differences fields in which the runs differ, derived ones too
 * @param scaling times of the completed runs over their numbers of replicas
 */
record Comparison(
        RunId baseline,
        @Nullable Double target,
        ComparedAccuracy compared,
        List<ComparedRun> runs,
        List<ComparedGroup> groups,
        List<ComparedRanking> rankings,
        List<FieldDifference> differences,
        List<ScalingPoint> scaling) {

    /** Run with its configuration, in which any field can distinguish it. */
    record Subject(ComparedRun.Summary run, int replicas, LabeledConfiguration configuration) {}

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
                RunLabels.differences(configurations(subjects)),
                ScalingPoint.of(timedRuns(subjects, runs, line)));
    }

    private static List<ScalingPoint.TimedRun> timedRuns(
            List<Subject> subjects, List<ComparedRun> runs, @Nullable String line) {
        List<String> lines = lines(subjects, line);
        return IntStream.range(0, runs.size())
                .filter(i -> runs.get(i).state() == RunState.COMPLETED)
                .mapToObj(i ->
                        new ScalingPoint.TimedRun(
                                lines.get(i), subjects.get(i).replicas(), runs.get(i)))
                .toList();
    }

    private static List<String> lines(List<Subject> subjects, @Nullable String field) {
        return field == null
                ? Labels.ofLines(configurations(subjects))
                : subjects.stream().map(it -> Labels.ofField(it.configuration(), field)).toList();
    }

    private static List<LabeledConfiguration> configurations(List<Subject> subjects) {
        return subjects.stream().map(Subject::configuration).toList();
    }

    private static List<ComparedRun> runs(List<Subject> subjects) {
        List<LabeledConfiguration> configurations = configurations(subjects);
        List<String> names = RunLabels.names(configurations);
        List<String> labels = Labels.ofGroups(configurations);
        List<Integer> groups = Labels.groups(configurations);
        ComparedRun.Summary baseline = subjects.getFirst().run();
        return IntStream.range(0, subjects.size())
                .mapToObj(i ->
                        ComparedRun.of(
                                subjects.get(i).run(),
                                names.get(i),
                                labels.get(i),
                                groups.get(i),
                                baseline))
                .toList();
    }

    private static List<List<ComparedRun>> groups(List<ComparedRun> runs) {
        return List.copyOf(
                runs.stream()
                        .collect(groupingBy(ComparedRun::group, TreeMap::new, toList()))
                        .values());
    }
}
