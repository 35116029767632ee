package dev.equipoise.protocol;

/**
 * What the service wishes of who has reported.
 *
 * @param preempt whether the training should stop after an epoch and leave its workers to another
 */
public record ReportReply(boolean preempt) {

    /** Nothing, which is not sent. */
    public static final ReportReply NONE = new ReportReply(false);
}
