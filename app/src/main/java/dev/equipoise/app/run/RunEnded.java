package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Event: a run has ended. Published in the transaction that records it, by the holder of the run's
 * lock.
 *
 * @param generation last generation; 0 if the run was never placed
 * @param cause cause of a failure; null without a failure
 */
public record RunEnded(
        RunId run,
        UUID project,
        int generation,
        RunState state,
        @Nullable FailureCause cause,
        Facts facts) {

    /**
     * Facts about the ended run for messages.
     *
     * @param position configuration of its version of the experiment, from 0
     * @param name name of the run
     * @param failureCode null without a failure
     * @param failureMessage null without a failure
     * @param testAccuracy at the last evaluation; null without one
     * @param testLoss at the last evaluation; null without one
     * @param startedAt null if the run never started
     */
    public record Facts(
            UUID experiment,
            String experimentName,
            int position,
            String name,
            List<String> tags,
            @Nullable String failureCode,
            @Nullable String failureMessage,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            Instant queuedAt,
            @Nullable Instant startedAt,
            Instant endedAt) {

        public Facts {
            tags = List.copyOf(tags);
        }
    }

    static RunEnded of(Run run) {
        RunFailure failure = run.failure();
        return new RunEnded(
                RunId.of(run.id()),
                run.projectId(),
                run.generation(),
                run.state(),
                failure == null ? null : failure.cause(),
                facts(run, failure));
    }

    private static Facts facts(Run run, @Nullable RunFailure failure) {
        return new Facts(
                run.experimentId(),
                run.experimentName(),
                run.position(),
                run.name(),
                run.tags(),
                failure == null ? null : failure.code(),
                failure == null ? null : failure.message(),
                run.figure(RunFigures::testAccuracy),
                run.figure(RunFigures::testLoss),
                run.queuedAt(),
                run.startedAt(),
                Objects.requireNonNull(run.endedAt(), "the run has not ended"));
    }
}
