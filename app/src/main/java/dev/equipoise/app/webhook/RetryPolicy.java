package dev.equipoise.app.webhook;

import dev.equipoise.app.webhook.AttemptOutcome.NoResponse;
import dev.equipoise.app.webhook.AttemptOutcome.Responded;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides what follows an attempt to deliver: exponential backoff up to a limit of attempts. */
final class RetryPolicy {

    /** Limit of the attempts of a delivery, which take about nine hours. */
    static final int MAX_ATTEMPTS = 9;

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final int FACTOR = 3;
    private static final Duration LONGEST = Duration.ofHours(6);

    /** Deliveries that failed together are spread over this share of their delay, in percent. */
    private static final int SPREAD = 20;

    /** Upper limit of all delays. */
    static final Duration MAX_DELAY = LONGEST.multipliedBy(100 + SPREAD).dividedBy(100);

    private static final int GONE = 410;

    private RetryPolicy() {}

    /** Consequence of an attempt. */
    sealed interface Step {

        record Deliver() implements Step {}

        record Retry(Duration delay) implements Step {}

        /**
         * The delivery has failed.
         *
         * @param disabledReason why the webhook is disabled; null if it stays enabled
         */
        record Fail(@Nullable String disabledReason) implements Step {}
    }

    /**
     * Returns what follows an attempt.
     *
     * @param attempt number of the attempt, from 1
     * @param failures failed attempts of the webhook before this one, since its last delivery
     */
    static Step after(AttemptOutcome outcome, UUID delivery, int attempt, int failures) {
        if (outcome instanceof Responded(int status) && status / 100 == 2) {
            return new Step.Deliver();
        }
        if (outcome instanceof Responded(int status) && status == GONE) {
            return new Step.Fail("The receiver answered 410: it wants no more deliveries");
        }
        if (attempt < MAX_ATTEMPTS) {
            return new Step.Retry(delay(delivery, attempt));
        }
        return new Step.Fail(
                failures + 1 < MAX_ATTEMPTS
                        ? null
                        : "The last %d attempts failed: %s".formatted(failures + 1, text(outcome)));
    }

    /** Returns the time from a failed attempt to the next one. */
    static Duration delay(UUID delivery, int attempt) {
        Duration delay = FIRST;
        for (int made = 1; made < attempt && delay.compareTo(LONGEST) < 0; made++) {
            delay = delay.multipliedBy(FACTOR);
        }
        Duration bounded = delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
        int spread = Math.floorMod(delivery.hashCode(), SPREAD + 1);
        return bounded.multipliedBy(100 + spread).dividedBy(100);
    }

    /** Returns a phrase that describes a failed attempt. */
    static String text(AttemptOutcome failed) {
        return switch (failed) {
            case Responded(int status) -> "the receiver answered %d".formatted(status);
            case NoResponse(String reason) -> reason;
        };
    }
}
