package dev.equipoise.app.recovery;

import java.time.Duration;

/** Decision on a run that cannot continue with its ranks. */
public sealed interface RestartDecision {

    /** The run fails. */
    record GiveUp(RunFailure failure) implements RestartDecision {}

    /**
     * The run returns to the queue.
     *
     * @param restartsWithoutProgress restarts in a row, this one included, in which the run came no
     *     further than before
     * @param pause delay before the run is placed again
     */
    record Restart(int restartsWithoutProgress, Duration pause) implements RestartDecision {}

    /**
     * Exponential backoff of restarts.
     *
     * @param first delay before the first restart; it doubles with each restart in a row
     * @param longest limit of the delay
     */
    record Backoff(Duration first, Duration longest) {

        private static final int MAX_DOUBLINGS = 30;

        Duration delay(int failures) {
            Duration pause = first.multipliedBy(1L << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS));
            return pause.compareTo(longest) < 0 ? pause : longest;
        }
    }

    /**
     * Decides by the cause of the failure. A user failure would recur: the run fails. A capacity
     * failure retries indefinitely. A worker failure restarts the run, since other workers may
     * succeed, up to a limit of restarts without progress.
     *
     * @param allowed limit of restarts without progress
     * @param withoutProgress restarts without progress so far
     * @param furthest most rounds that the run had trained at an earlier restart
     * @param reached rounds that it has trained now
     */
    static RestartDecision of(
            RunFailure failure,
            int allowed,
            int withoutProgress,
            long furthest,
            long reached,
            Backoff backoff) {
        int next = reached > furthest ? 1 : withoutProgress + 1;
        return switch (failure.cause()) {
            case USER -> new GiveUp(failure);
            case CAPACITY ->
                    allowed == 0
                            ? new GiveUp(failure)
                            : new Restart(Math.min(next, allowed), backoff.longest());
            case WORKER ->
                    next > allowed
                            ? new GiveUp(allowed == 0 ? failure : explained(failure, allowed))
                            : new Restart(next, backoff.delay(next));
        };
    }

    private static RunFailure explained(RunFailure failure, int restarts) {
        return new RunFailure(
                failure.cause(),
                failure.code(),
                "%s; it was restarted %d times in a row without progress"
                        .formatted(failure.message(), restarts));
    }
}
