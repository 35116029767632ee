package dev.equipoise.app.recovery;

import dev.equipoise.app.time.Deadline;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Records that a run that was asked to stop for another could not store its checkpoint.
 *
 * @param reason reason for which the checkpoint could not be stored
 * @param times refusals in a row
 * @param at time of the last refusal
 * @param until time before which the run is not asked again; null if it is never asked again
 */
@Schema(name = "Run.Refusal")
public record PreemptionRefusal(String reason, int times, Instant at, @Nullable Instant until) {

    private static final Duration FIRST = Duration.ofMinutes(1);

    /** Refusals after which the run is never asked again: about an hour of failed tries. */
    private static final int MAX_REFUSALS = 7;

    /**
     * Returns the next refusal: each delay is twice as long as the one before, and the last one is
     * permanent.
     */
    public static PreemptionRefusal after(
            @Nullable PreemptionRefusal before, String reason, Instant now) {
        int times = before == null ? 1 : before.times() + 1;
        return new PreemptionRefusal(
                reason,
                times,
                now,
                times < MAX_REFUSALS ? now.plus(FIRST.multipliedBy(1L << (times - 1))) : null);
    }

    /** Returns a permanent refusal, for a cause that would recur. */
    public static PreemptionRefusal permanent(
            @Nullable PreemptionRefusal before, String reason, Instant now) {
        return new PreemptionRefusal(reason, before == null ? 1 : before.times() + 1, now, null);
    }

    /** Whether the run must not be asked at this time. */
    public boolean standsAt(Instant now) {
        return until == null || Deadline.isAhead(until, Duration.between(at, until), now);
    }
}
