package dev.equipoise.protocol;

/**
 * Answer of the service to a {@link Report}.
 *
 * @param preempt whether the ranks should stop after an epoch and release their workers
 * @param regroup whether the ranks should suspend after an epoch for a reconfiguration
 */
public record ReportReply(boolean preempt, boolean regroup) implements ServiceMessage {

    /** Nothing to do; the service sends no such reply. */
    public static final ReportReply NONE = new ReportReply(false, false);
}
