package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.AgentEvent.Distance;
import dev.equipoise.protocol.AgentEvent.Traffic;
import dev.equipoise.protocol.AgentEvent.Updates;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run with all that is known of it.
 *
 * @param experimentVersion the one that it came from
 * @param position which of that version's configurations it runs, from 0
 * @param validation what was predicted beside what was measured; null without a prediction
 * @param priority among the runs of its project, from -100 to 100; the higher, the sooner
 * @param place in the queue, from 1; null where it does not wait, and for a moment after it was
 *     queued
 * @param predictedStart when it is expected to get its workers; null where nobody knows: where a
 *     run before it is of unknown length, or it cannot begin as things stand
 * @param revision grows with each change; the {@code ETag} of the run
 * @param tags words by which people find it again, in alphabetic order
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy when the test set was last looked at
 * @param testLoss mean over its predictions; its exponential is the perplexity
 * @param hybrid how its ranks share hidden units; null where they do not, and before it is placed
 * @param batchCounts how busy its counts keep the replicas; null where the partitioning has none
 * @param replicasIdentical whether the parameters of all ranks that train were the same, to the
 *     bit, after every epoch; null before the first
 * @param preemptions how often it has made room for another run
 * @param setbacks how often its workers have failed it and it was placed anew
 * @param setback why they did, the last time; null where it made room since
 * @param notBefore until then it waits before it is tried again; null where it does not
 * @param checkpointEpoch the epoch after which it went on, or will, when it was placed anew; null
 *     where that is its beginning
 * @param refusal why it could not make room when it was asked last; null where it could, or was not
 *     asked
 * @param droppedPoints points of its curves that are nowhere, as there were more than are kept
 */
@Schema(name = "Run")
public record RunView(
        RunId id,
        UUID project,
        UUID experiment,
        String experimentName,
        int experimentVersion,
        int position,
        int priority,
        List<String> tags,
        RunState state,
        RunConfiguration configuration,
        @Nullable Waiting waiting,
        @Nullable Integer place,
        @Nullable Instant predictedStart,
        @Nullable RunFailure failure,
        int generation,
        int rounds,
        @Nullable Prediction prediction,
        @Nullable Validation validation,
        @Nullable Double epochSeconds,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        @Nullable Boolean replicasIdentical,
        Progress progress,
        List<ReplicaView> replicas,
        @Nullable Hybrid hybrid,
        @Nullable BatchEfficiency batchCounts,
        List<EpochView> epochs,
        long droppedPoints,
        int preemptions,
        int setbacks,
        @Nullable RunFailure setback,
        @Nullable Instant notBefore,
        @Nullable Integer checkpointEpoch,
        @Nullable Refusal refusal,
        Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        long revision) {

    /**
     * One rank: who holds it and how many samples an epoch it has.
     *
     * @param batch the least and the most samples a round
     */
    public record ReplicaView(
            int rank, WorkerId worker, String workerName, int share, List<Integer> batch) {}

    /**
     * One epoch over all ranks.
     *
     * @param distance how far the replicas were apart; null where it was not looked at
     */
    public record EpochView(
            int epoch,
            double epochSeconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            double meanLoss,
            boolean replicasIdentical,
            @Nullable Distance distance,
            List<RankView> ranks) {}

    /**
     * One epoch of one rank.
     *
     * @param generation in which it was done, maybe by another worker than the rank's of now
     * @param hiddenSeconds of exchanging in the background; in none of the phases before it, which
     *     add up to the wall time
     * @param bytesSent of all kinds, headers included
     * @param traffic by kind
     * @param updates the steps of this rank's weights
     * @param ownAccuracy of this replica by itself; null where it was not looked at
     */
    public record RankView(
            int rank,
            int generation,
            int samples,
            double computeSeconds,
            double encodeSeconds,
            double transferSeconds,
            double waitSeconds,
            double applySeconds,
            double hiddenSeconds,
            double wallSeconds,
            long bytesSent,
            Traffic traffic,
            Updates updates,
            double meanLoss,
            @Nullable Double ownAccuracy,
            @Nullable Double ownLoss,
            String parameters) {}

    static RunView of(
            Run run,
            Progress progress,
            @Nullable QueuePlace queue,
            List<Replica> replicas,
            List<RankPrediction> predictions,
            List<EpochResult> results,
            long droppedPoints) {
        Measured measured = run.measured();
        Prediction prediction = run.prediction();
        // Predicted is what the workers of now should take, whatever others took before them.
        List<EpochResult> current =
                results.stream().filter(it -> it.generation() == run.generation()).toList();
        return new RunView(
                RunId.of(run.id()),
                run.projectId(),
                run.experimentId(),
                run.experimentName(),
                run.experimentVersion(),
                run.position(),
                run.priority(),
                run.tags(),
                run.state(),
                run.configuration(),
                run.waiting(),
                queue == null ? null : queue.place(),
                queue == null ? null : queue.predictedStart(),
                run.failure(),
                run.generation(),
                run.rounds(),
                prediction,
                prediction == null
                        ? null
                        : Validation.of(prediction, measured, predictions, current),
                measured == null ? null : measured.epochSeconds(),
                measured == null ? null : measured.testAccuracy(),
                measured == null ? null : measured.testLoss(),
                measured == null ? null : measured.replicasIdentical(),
                progress,
                replicas.stream()
                        .map(it ->
                                new ReplicaView(
                                        it.rank(),
                                        WorkerId.of(it.workerId()),
                                        it.workerName(),
                                        it.share(),
                                        List.of(
                                                it.share() / run.rounds(),
                                                Math.ceilDiv(it.share(), run.rounds()))))
                        .toList(),
                run.hybrid(),
                BatchEfficiency.of(run.configuration(), predictions, current).orElse(null),
                epochs(results, run.configuration()),
                droppedPoints,
                run.preemptions(),
                run.setbacks(),
                run.setback(),
                run.notBefore(),
                run.checkpointEpoch(),
                run.refusal(),
                run.queuedAt(),
                run.startedAt(),
                run.endedAt(),
                run.revision());
    }

    /** Only epochs that every rank has reported. */
    private static List<EpochView> epochs(
            List<EpochResult> results, RunConfiguration configuration) {
        return results.stream()
                .collect(Collectors.groupingBy(it -> it.figures().epoch()))
                .entrySet()
                .stream()
                .filter(epoch -> epoch.getValue().size() == epoch.getValue().getFirst().ranks())
                .sorted(Map.Entry.comparingByKey())
                .map(epoch ->
                        epoch(epoch.getKey(), epoch.getValue(), configuration.topology().servers()))
                .toList();
    }

    private static EpochView epoch(int epoch, List<EpochResult> results, int servers) {
        List<RankView> ranks =
                results.stream()
                        .sorted(Comparator.comparingInt(EpochResult::rank))
                        .map(RunView::rank)
                        .toList();
        double samples = ranks.stream().mapToInt(RankView::samples).sum();
        return new EpochView(
                epoch,
                ranks.stream().mapToDouble(RankView::wallSeconds).max().orElseThrow(),
                results.getFirst().testAccuracy(),
                results.getFirst().testLoss(),
                ranks.stream().mapToDouble(it -> it.meanLoss() * it.samples()).sum()
                        / Math.max(1, samples),
                ranks.stream().skip(servers).map(RankView::parameters).distinct().count() == 1,
                results.getFirst().figures().distance(),
                ranks);
    }

    private static RankView rank(EpochResult result) {
        var figures = result.figures();
        return new RankView(
                result.rank(),
                result.generation(),
                figures.samples(),
                figures.phases().computeSeconds(),
                figures.phases().encodeSeconds(),
                figures.phases().transferSeconds(),
                figures.phases().waitSeconds(),
                figures.phases().applySeconds(),
                figures.phases().hiddenSeconds(),
                figures.wallSeconds(),
                figures.traffic().bytes(),
                figures.traffic(),
                figures.updates(),
                figures.meanLoss(),
                figures.own() == null ? null : figures.own().accuracy(),
                figures.own() == null ? null : figures.own().loss(),
                figures.parameters());
    }
}
