package dev.equipoise.launcher;

import java.time.Duration;

/** Time that passes before something is asked again. */
final class Pause {

    private Pause() {}

    static void of(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LabFailure("interrupted", interrupted);
        }
    }
}
