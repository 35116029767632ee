package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunQueue.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * Which of two runs of a project goes first: pure. A run counts as if it had been queued earlier by
 * a step for each of its priority, so that it goes before all that come later by more than that,
 * whatever their priority is. The order of two runs is the same for as long as both wait.
 *
 * @param step zero where no run ever makes up for its priority by waiting
 */
record Ageing(Duration step) {

    /** The older ones stay before the younger ones that are as high. */
    Comparator<Queued> order() {
        return (one, other) ->
                compare(one.priority(), one.queuedAt(), other.priority(), other.queuedAt());
    }

    /** Negative where the one goes first. */
    int compare(int priority, Instant queuedAt, int otherPriority, Instant otherQueuedAt) {
        return step.isZero()
                ? Integer.compare(otherPriority, priority)
                : counting(priority, queuedAt).compareTo(counting(otherPriority, otherQueuedAt));
    }

    private Instant counting(int priority, Instant queuedAt) {
        return queuedAt.minus(step.multipliedBy(priority));
    }
}
