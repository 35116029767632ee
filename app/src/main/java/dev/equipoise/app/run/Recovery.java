package dev.equipoise.app.run;

import java.time.Duration;

/** What becomes of a run that cannot go on where it is. */
sealed interface Recovery {

    /** It is over. */
    record GiveUp(RunFailure failure) implements Recovery {}

    /**
     * It is placed anew.
     *
     * @param fruitless how often in a row it is, without having got further than before
     * @param pause until then it waits
     */
    record Restart(int fruitless, Duration pause) implements Recovery {}

    /**
     * How patient the service is.
     *
     * @param first the pause after the first failure; each one in a row is twice as long
     * @param longest no pause is longer
     */
    record Patience(Duration first, Duration longest) {

        private static final int MOST_DOUBLINGS = 30;

        Duration after(int failures) {
            Duration pause = first.multipliedBy(1L << Math.clamp(failures - 1L, 0, MOST_DOUBLINGS));
            return pause.compareTo(longest) < 0 ? pause : longest;
        }
    }

    /**
     * Decides. A user's mistake would fail again. What lacks room waits for it, however often.
     * Workers fail for reasons of their own, so that others may do better, but not without end: who
     * gets further each time is not counted.
     *
     * @param allowed restarts in a row without getting further
     * @param fruitless how many there were
     * @param furthest rounds that the run had done when it was set back before, at most
     * @param reached rounds that it has done now
     */
    static Recovery of(
            RunFailure failure,
            int allowed,
            int fruitless,
            long furthest,
            long reached,
            Patience patience) {
        int next = reached > furthest ? 1 : fruitless + 1;
        return switch (failure.cause()) {
            case USER -> new GiveUp(failure);
            case CAPACITY ->
                    allowed == 0
                            ? new GiveUp(failure)
                            : new Restart(Math.min(next, allowed), patience.longest());
            case WORKER ->
                    next > allowed
                            ? new GiveUp(allowed == 0 ? failure : explained(failure, allowed))
                            : new Restart(next, patience.after(next));
        };
    }

    private static RunFailure explained(RunFailure failure, int restarts) {
        return new RunFailure(
                failure.cause(),
                failure.code(),
                "%s; it was placed anew %d times in a row and got no further"
                        .formatted(failure.message(), restarts));
    }
}
