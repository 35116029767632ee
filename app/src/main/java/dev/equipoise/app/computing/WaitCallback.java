package dev.equipoise.app.computing;

import java.time.Duration;

/**
 * An action that a caller repeats while it waits for a computation.
 *
 * @param every time between two calls
 * @param action runs in the waiting thread; an exception ends the wait and cancels the computation
 */
public record WaitCallback(Duration every, Runnable action) {

    static final WaitCallback NOTHING = new WaitCallback(Duration.ofDays(1), () -> {});
}
