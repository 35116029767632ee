package dev.equipoise.launcher;

import java.time.Duration;

/** Sleeps, and fails as the launcher does when interrupted. */
public final class Pause {

    private Pause() {}

    public static void of(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LabFailure("interrupted", interrupted);
        }
    }
}
