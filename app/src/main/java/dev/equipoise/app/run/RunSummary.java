package dev.equipoise.app.run;

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
 * A run as lists tell of it: without its ranks and its epochs, and of its configuration just the
 * method.
 *
 * @param experimentVersion the one that it came from
 * @param position which of that version's configurations it runs, from 0
 * @param priority among the runs of its project, from -100 to 100; the higher, the sooner
 * @param place in the queue, from 1; null where it does not wait, and for a moment after it was
 *     queued
 * @param predictedStart when it is expected to get its workers; null where nobody knows: where a
 *     run before it is of unknown length, or it cannot begin as things stand
 * @param tags words by which people find it again, in alphabetic order
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy when the test set was last looked at
 * @param testLoss mean over its predictions; its exponential is the perplexity
 * @param replicasIdentical whether the parameters of all ranks that train were the same, to the
 *     bit, after every epoch; null before the first
 */
record RunSummary(
        RunId id,
        UUID project,
        UUID experiment,
        String experimentName,
        int experimentVersion,
        int position,
        int priority,
        List<String> tags,
        RunState state,
        Synchronization synchronization,
        Topology topology,
        Compression compression,
        Partitioning partitioning,
        long seed,
        @Nullable Waiting waiting,
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

    static RunSummary of(Run run, Progress progress, @Nullable QueuePlace queue) {
        Measured measured = run.measured();
        return new RunSummary(
                RunId.of(run.id()),
                run.projectId(),
                run.experimentId(),
                run.experimentName(),
                run.experimentVersion(),
                run.position(),
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
                measured == null ? null : measured.epochSeconds(),
                measured == null ? null : measured.testAccuracy(),
                measured == null ? null : measured.testLoss(),
                measured == null ? null : measured.replicasIdentical(),
                progress,
                run.queuedAt(),
                run.startedAt(),
                run.endedAt());
    }
}
