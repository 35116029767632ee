package dev.equipoise.app.queue;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Queued run, as the scheduler sees it.
 *
 * @param priority among the runs of its project
 * @param waiting last recorded wait reason
 * @param length runtime estimate from placement to end, by the runtime history; null without one
 * @param previousStop last preemption or restart; null if the run had no workers before
 */
public record QueuedRun(
        RunId id,
        UUID project,
        RunConfiguration configuration,
        int priority,
        @Nullable WaitReason waiting,
        @Nullable Duration length,
        Instant queuedAt,
        @Nullable PreviousStop previousStop) {

    /** Beginning of the current stay in the queue. */
    public Instant waitingSince() {
        return previousStop == null ? queuedAt : previousStop.at();
    }

    /**
     * Whether a failure stopped the run before a moment, and it has been waiting for its restart
     * since.
     */
    public boolean awaitsRestartSinceBefore(Instant moment) {
        return previousStop != null
                && previousStop.failure() != null
                && previousStop.at().isBefore(moment);
    }

    /** Returns the runtime estimate on a number of workers; null if unknown. */
    public @Nullable Duration lengthOn(int workers) {
        int wanted = configuration.workersWanted();
        return length == null || workers >= wanted
                ? length
                : length.multipliedBy(wanted).dividedBy(workers);
    }

    /** Returns the same run with another runtime estimate. */
    public QueuedRun lasting(Duration expected) {
        return new QueuedRun(
                id, project, configuration, priority, waiting, expected, queuedAt, previousStop);
    }

    /** Number of epochs that the run has still to train. */
    public int epochsLeft() {
        int epochs = configuration.training().epochs();
        return previousStop == null ? epochs : epochs - previousStop.epoch();
    }
}
