package dev.equipoise.app.bundle;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunView;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run in a bundle: all figures, without facts of the exporting service.
 *
 * @param failure only the code, since a message may contain names of that lab
 * @param links between its ranks, if they were measured before the run was placed
 */
record StudyRun(
        RunId id,
        int position,
        RunState state,
        RunConfiguration configuration,
        int rounds,
        @Nullable String failure,
        @Nullable Prediction prediction,
        @Nullable Double epochSeconds,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        @Nullable Boolean replicasIdentical,
        List<RunView.ReplicaView> replicas,
        List<RunView.EpochView> epochs,
        List<MeasuredLink> links,
        Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {

    StudyRun {
        Objects.requireNonNull(id, "id must be given");
        Objects.requireNonNull(state, "state must be given");
        Objects.requireNonNull(configuration, "configuration must be given");
        replicas = List.copyOf(replicas);
        epochs = List.copyOf(epochs);
        links = List.copyOf(links);
    }

    static StudyRun of(RunView run, List<MeasuredLink> links) {
        return new StudyRun(
                run.id(),
                run.position(),
                run.state(),
                run.configuration(),
                run.rounds(),
                run.failure() == null ? null : run.failure().code(),
                run.prediction(),
                run.epochSeconds(),
                run.testAccuracy(),
                run.testLoss(),
                run.replicasIdentical(),
                run.replicas(),
                run.epochs(),
                links,
                run.queuedAt(),
                run.startedAt(),
                run.endedAt());
    }
}
