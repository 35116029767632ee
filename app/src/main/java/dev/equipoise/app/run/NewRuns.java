package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.queue.WorkloadKey;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Creates the runs of a version of an experiment, each with the label that sets it apart. */
@Component
class NewRuns {

    private final WorkloadKey workloadKey;
    private final VersionLabels labels;
    private final Clock clock;

    NewRuns(WorkloadKey workloadKey, VersionLabels labels, Clock clock) {
        this.workloadKey = workloadKey;
        this.labels = labels;
        this.clock = clock;
    }

    /**
     * Creates a run for each position.
     *
     * @param reason wait reason of a configuration
     */
    List<Run> of(
            StoredExperiment version,
            List<Integer> positions,
            Function<RunConfiguration, WaitReason> reason) {
        List<String> all = labels.of(version);
        return positions.stream()
                .map(position -> run(version, position, all.get(position), reason))
                .toList();
    }

    private Run run(
            StoredExperiment version,
            int position,
            String label,
            Function<RunConfiguration, WaitReason> reason) {
        RunConfiguration configuration = version.configurations().get(position);
        return new Run(
                version,
                RunOrigin.of(version, position, label),
                workloadKey.of(configuration),
                reason.apply(configuration),
                clock.instant());
    }
}
