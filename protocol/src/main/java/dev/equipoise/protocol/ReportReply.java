package dev.equipoise.protocol;

/**
 * What the service wishes of who has reported.
 *
 * @param preempt whether the training should stop after an epoch and leave its workers to another
 * @param regroup whether its ranks should stand still after an epoch, as others may join them or
 *     some leave
 */
public record ReportReply(boolean preempt, boolean regroup) implements ServiceMessage {

    /** Nothing, which is not sent. */
    public static final ReportReply NONE = new ReportReply(false, false);

    /** That workers are left to another training. */
    public static final ReportReply PREEMPT = new ReportReply(true, false);
}
