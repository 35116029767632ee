package dev.equipoise.app.computing;

import java.time.Duration;

/**
 * What whoever waits for a computation does as long as it is not over.
 *
 * @param every for so long it waits between two times
 * @param action in the thread that waits; what it throws ends the waiting
 */
public record Meanwhile(Duration every, Runnable action) {

    /** Nothing at all. */
    static final Meanwhile NOTHING = new Meanwhile(Duration.ofDays(1), () -> {});
}
