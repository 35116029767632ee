package dev.equipoise.app.schedule;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A worker that a run has. */
record Held(WorkerId worker, RunId run, UUID project, Instant since) {

    private static final double MILLIS = 1000;

    /** Not less than 0, as the clocks of two instances may differ. */
    double seconds(Instant until) {
        return seconds(since, until);
    }

    static double seconds(Instant since, Instant until) {
        return Math.max(0, Duration.between(since, until).toMillis() / MILLIS);
    }
}
