package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Run at one moment, for readers of its telemetry.
 *
 * @param position configuration of the version of the experiment, from 0
 * @param rounds rounds of an epoch
 * @param startedAt time at which training began; null before
 */
public record RunSnapshot(
        RunId id,
        String experimentName,
        int position,
        RunState state,
        RunConfiguration configuration,
        int rounds,
        @Nullable Instant startedAt) {

    static RunSnapshot of(Run run) {
        return new RunSnapshot(
                RunId.of(run.id()),
                run.experimentName(),
                run.position(),
                run.state(),
                run.configuration(),
                run.rounds(),
                run.startedAt());
    }
}
