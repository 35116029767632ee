package dev.equipoise.app.dispatch;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The allocation of one worker to a run. */
public record WorkerAllocation(WorkerId worker, RunId run, UUID project, Instant since) {

    private static final double MILLIS = 1000;

    /** Seconds of the allocation, at least 0: the clocks of two instances may differ. */
    public double seconds(Instant until) {
        return seconds(since, until);
    }

    static double seconds(Instant since, Instant until) {
        return Math.max(0, Duration.between(since, until).toMillis() / MILLIS);
    }
}
