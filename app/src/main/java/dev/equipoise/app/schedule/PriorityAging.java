package dev.equipoise.app.schedule;

import dev.equipoise.app.queue.QueuedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * Orders the queued runs of one project by priority and waiting time. Each priority step counts as
 * one {@code step} of additional waiting time. The order of two runs never changes while both wait.
 * Pure.
 *
 * @param step waiting time that is worth one priority step; zero orders by priority alone
 */
record PriorityAging(Duration step) {

    /** The order of the queue; a stable sort keeps older runs first among equals. */
    Comparator<QueuedRun> order() {
        return (one, other) ->
                compare(one.priority(), one.queuedAt(), other.priority(), other.queuedAt());
    }

    /** Negative if the first run goes first. */
    int compare(int priority, Instant queuedAt, int otherPriority, Instant otherQueuedAt) {
        return step.isZero()
                ? Integer.compare(otherPriority, priority)
                : aged(priority, queuedAt).compareTo(aged(otherPriority, otherQueuedAt));
    }

    private Instant aged(int priority, Instant queuedAt) {
        return queuedAt.minus(step.multipliedBy(priority));
    }
}
