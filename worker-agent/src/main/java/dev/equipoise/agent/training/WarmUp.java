package dev.equipoise.agent.training;

import dev.equipoise.agent.time.Time;
import java.time.Duration;

/**
 * Warm-up of a loop, since its first rounds run uncompiled: 40 rounds, or as many as fit into 5 s,
 * but at least 3.
 */
record WarmUp(Time time, LoopPosition position) {

    private static final int ROUNDS = 40;
    private static final int MIN_ROUNDS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Round without any effect. */
    @FunctionalInterface
    interface Round {

        /**
         * Runs the round.
         *
         * @param index number of warm-up rounds before this one
         */
        void run(int index) throws InterruptedException;
    }

    /**
     * Repeats the round.
     *
     * @throws InterruptedException before the next round after an interrupt
     */
    void repeat(Round round) throws InterruptedException {
        long end = time.nanoTime() + LIMIT.toNanos();
        for (int i = 0; i < ROUNDS && (i < MIN_ROUNDS || time.nanoTime() < end); i++) {
            position.requireNotInterrupted();
            round.run(i);
        }
    }
}
