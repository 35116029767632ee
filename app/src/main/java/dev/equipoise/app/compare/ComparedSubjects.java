package dev.equipoise.app.compare;

import dev.equipoise.app.run.FieldDifference;
import dev.equipoise.app.run.LabeledConfiguration;
import dev.equipoise.app.run.RunLabels;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunSubject;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Names of compared runs and the fields in which they differ, without any figures.
 *
 * @param items runs in the order of the request
 * @param differences fields in which they differ, derived ones too
 */
record ComparedSubjects(List<ComparedSubject> items, List<FieldDifference> differences) {

    /**
     * Run of a comparison without its figures.
     *
     * @param run id of the run
     * @param name what sets it apart from the others, seed included; unique among them
     * @param label label of its seed group
     * @param group number of its group, from 0
     * @param state state of the run
     * @param seed seed of the run
     * @param replicas number of replicas in its configuration
     * @param place queue position, from 1; null unless queued, and for a moment after it was queued
     */
    record ComparedSubject(
            RunId run,
            String name,
            String label,
            int group,
            RunState state,
            long seed,
            int replicas,
            @Nullable Integer place) {}

    /** Names at least one run. */
    static ComparedSubjects of(List<RunSubject> runs) {
        List<LabeledConfiguration> all = runs.stream().map(RunSubject::configuration).toList();
        List<String> names = RunLabels.names(all);
        List<String> labels = Labels.ofGroups(all);
        List<Integer> groups = Labels.groups(all);
        return new ComparedSubjects(
                IntStream.range(0, runs.size())
                        .mapToObj(i -> of(runs.get(i), names.get(i), labels.get(i), groups.get(i)))
                        .toList(),
                RunLabels.differences(all));
    }

    private static ComparedSubject of(RunSubject run, String name, String label, int group) {
        return new ComparedSubject(
                run.run(),
                name,
                label,
                group,
                run.state(),
                run.seed(),
                run.replicas(),
                run.place());
    }
}
