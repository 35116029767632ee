package dev.equipoise.app.run;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a run that was asked to make room could not: its checkpoint could not be kept.
 *
 * @param times in a row
 * @param until before which it is not asked again; null where it is not asked any more
 */
@Schema(name = "Run.Refusal")
public record Refusal(String reason, int times, Instant at, @Nullable Instant until) {

    private static final Duration FIRST = Duration.ofMinutes(1);

    /** After an hour in which every try has failed the next ones are too dear. */
    private static final int MOST = 7;

    /** Each time for twice as long as before, and at last for good. */
    static Refusal after(@Nullable Refusal before, String reason, Instant now) {
        int times = before == null ? 1 : before.times() + 1;
        return new Refusal(
                reason,
                times,
                now,
                times < MOST ? now.plus(FIRST.multipliedBy(1L << (times - 1))) : null);
    }

    /** What will be the same the next time. */
    static Refusal forGood(@Nullable Refusal before, String reason, Instant now) {
        return new Refusal(reason, before == null ? 1 : before.times() + 1, now, null);
    }

    /** Whether it is not to be asked yet. */
    public boolean standsAt(Instant now) {
        return until == null || until.isAfter(now);
    }
}
