package dev.equipoise.app.run;

/**
 * Why a run waits.
 *
 * @param code for programs, for example {@code too-few-workers}
 * @param message for people
 */
public record Waiting(String code, String message) {

    /** The same, of which more is to be said. */
    public Waiting and(String more) {
        return new Waiting(code, "%s; %s".formatted(message, more));
    }

    /** Of a run that was queued just now. */
    static final Waiting NEW = new Waiting("queued", "the run has not been looked at yet");
}
