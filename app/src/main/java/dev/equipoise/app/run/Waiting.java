package dev.equipoise.app.run;

/**
 * Why a run waits.
 *
 * @param code for programs, for example {@code too-few-workers}
 * @param message for people
 */
public record Waiting(String code, String message) {

    /** Of a run that was queued just now. */
    static final Waiting NEW = new Waiting("queued", "the run has not been looked at yet");
}
