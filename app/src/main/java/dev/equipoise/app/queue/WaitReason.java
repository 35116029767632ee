package dev.equipoise.app.queue;

/**
 * Wait reason of a queued run.
 *
 * @param code code for programs, for example {@code too-few-workers}
 * @param message text for people
 */
public record WaitReason(String code, String message) {

    /** Returns the reason with more text. */
    public WaitReason and(String more) {
        return new WaitReason(code, "%s; %s".formatted(message, more));
    }

    /** Reason of a run that was queued just now. */
    public static final WaitReason NEW = new WaitReason("queued", "just queued");
}
