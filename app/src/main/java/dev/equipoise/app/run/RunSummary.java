package dev.equipoise.app.run;

import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Run as an item of a list: without its ranks and epochs, and with the method only of its
 * configuration.
 *
 * @param id id of the run
 * @param project id of its project
 * @param experiment id of its experiment
 * @param experimentName name of its experiment
 * @param experimentVersion version of the experiment that it came from
 * @param position configuration of that version, from 0
 * @param label written fields in which it differs from the others of that version; empty if there
 *     are none
 * @param name name of the experiment with the label, or without one the number of the run, from 1
 * @param priority among the runs of its project, from -100 to 100; a higher one starts sooner
 * @param tags tags in alphabetic order
 * @param state state of the run
 * @param synchronization rule by which replicas synchronize
 * @param topology topology of their communication
 * @param compression codec of what they send
 * @param partitioning division of the samples among the ranks
 * @param seed seed of the run
 * @param waiting wait reason; null unless queued
 * @param place queue position, from 1; null unless queued, and for a moment after it was queued
 * @param predictedStart when the run is expected to get its workers; null if unknown, because a run
 *     before it has no runtime estimate or because it cannot start at present
 * @param failure failure, of an earlier attempt, too; null if there was none
 * @param prediction predicted times; null without profiles of the workers
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy test accuracy at the last evaluation
 * @param testLoss mean over the predictions of the last evaluation; its exponential is the
 *     perplexity
 * @param replicasIdentical whether the weights of all ranks that train were equal to the bit after
 *     every epoch; null before the first
 * @param progress progress of the slowest rank
 * @param queuedAt time at which it was queued
 * @param startedAt time at which training began; null before
 * @param endedAt time of the end; null before
 */
record RunSummary(
        RunId id,
        UUID project,
        UUID experiment,
        String experimentName,
        int experimentVersion,
        int position,
        String label,
        String name,
        int priority,
        List<String> tags,
        RunState state,
        Synchronization synchronization,
        Topology topology,
        Compression compression,
        Partitioning partitioning,
        long seed,
        @Nullable WaitReason waiting,
        @Nullable Integer place,
        @Nullable Instant predictedStart,
        @Nullable RunFailure failure,
        @Nullable Prediction prediction,
        @Nullable Double epochSeconds,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        @Nullable Boolean replicasIdentical,
        Progress progress,
        Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {

    static RunSummary of(Run run, Progress progress, @Nullable QueuePosition queue) {
        return new RunSummary(
                RunId.of(run.id()),
                run.projectId(),
                run.experimentId(),
                run.experimentName(),
                run.experimentVersion(),
                run.position(),
                run.label(),
                run.name(),
                run.priority(),
                run.tags(),
                run.state(),
                run.configuration().synchronization(),
                run.configuration().topology(),
                run.configuration().compression(),
                run.configuration().partitioning(),
                run.configuration().seed(),
                run.waiting(),
                queue == null ? null : queue.place(),
                queue == null ? null : queue.predictedStart(),
                run.failure(),
                run.prediction(),
                run.figure(RunFigures::epochSeconds),
                run.figure(RunFigures::testAccuracy),
                run.figure(RunFigures::testLoss),
                run.figure(RunFigures::replicasIdentical),
                progress,
                run.queuedAt(),
                run.startedAt(),
                run.endedAt());
    }
}
