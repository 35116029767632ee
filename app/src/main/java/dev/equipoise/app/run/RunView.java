package dev.equipoise.app.run;

import dev.equipoise.app.configuration.Notes;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.BatchEfficiency;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.prediction.Validation;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.EpochTimes;
import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.app.telemetry.RunTimes;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
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
 * Run with all its figures.
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
 * @param configuration configuration with every default written out
 * @param waiting wait reason; null unless queued
 * @param place queue position, from 1; null unless queued, and for a moment after it was queued
 * @param predictedStart when the run is expected to get its workers; null if unknown, because a run
 *     before it has no runtime estimate or because it cannot start at present
 * @param failure failure, of an earlier attempt, too; null if there was none
 * @param generation present generation, from 0 before the first placement
 * @param rounds rounds of an epoch
 * @param prediction predicted times; null without profiles of the workers
 * @param validation predicted and measured seconds; null without a prediction
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy test accuracy at the last evaluation
 * @param testLoss mean over the predictions of the last evaluation; its exponential is the
 *     perplexity
 * @param replicasIdentical whether the weights of all ranks that train were equal to the bit after
 *     every epoch; null before the first
 * @param progress progress of the slowest rank
 * @param replicas ranks with their workers
 * @param hybrid how its ranks share hidden units; null if they do not, and before it is placed
 * @param batchCounts batch efficiency; null unless the partitioning has batch counts
 * @param epochs figures by epoch
 * @param times time on the agents by run phase; null if none has reported it, as agents of earlier
 *     versions do not
 * @param droppedPoints metric points dropped because the run exceeded its limit
 * @param preemptions number of preemptions
 * @param setbacks number of restarts
 * @param setback failure behind the last restart; null if the run was preempted since
 * @param notBefore end of the delay before a restart; null without a delay
 * @param checkpointEpoch epoch after which it resumed, or will, when it was placed again; null for
 *     the beginning
 * @param refusal last preemption refusal; null if there is none, or a preemption has succeeded
 *     since
 * @param queuedAt time at which it was queued
 * @param startedAt time at which training began; null before
 * @param endedAt time of the end; null before
 * @param revision number that grows with each change; the {@code ETag} of the run
 * @param model the trained model that the service keeps; null if there is none
 * @param notes Markdown, with its author; null without notes
 */
@Schema(name = "Run")
public record RunView(
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
        RunConfiguration configuration,
        @Nullable WaitReason waiting,
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
        @Nullable HybridAllocationView hybrid,
        @Nullable BatchEfficiency batchCounts,
        List<EpochView> epochs,
        @Nullable RunTimes times,
        long droppedPoints,
        int preemptions,
        int setbacks,
        @Nullable RunFailure setback,
        @Nullable Instant notBefore,
        @Nullable Integer checkpointEpoch,
        @Nullable PreemptionRefusal refusal,
        Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        long revision,
        @Nullable ModelView model,
        @Nullable Notes notes) {

    /**
     * Rank with its worker and its share in samples of an epoch.
     *
     * @param rank rank, from 0
     * @param worker id of the worker
     * @param workerName name of the worker
     * @param share samples of an epoch
     * @param batch least and most samples of a round
     * @param processor processor of the worker and the instruction set that its numeric library
     *     uses; null if unknown
     * @param backend numeric library of the worker when the rank was placed; null in runs of
     *     earlier versions
     * @param replaced distance of the weights that the rank had restored from those of another
     *     rank, with which its generation began; null if it began with its own
     */
    public record ReplicaView(
            int rank,
            WorkerId worker,
            String workerName,
            int share,
            List<Integer> batch,
            @Nullable String processor,
            @Nullable String backend,
            @Nullable ReplicaDistance replaced) {

        private static ReplicaView of(RunRank rank, int rounds) {
            return new ReplicaView(
                    rank.rank(),
                    WorkerId.of(rank.workerId()),
                    rank.workerName(),
                    rank.share(),
                    List.of(rank.share() / rounds, Math.ceilDiv(rank.share(), rounds)),
                    rank.processor(),
                    rank.backend(),
                    rank.replaced());
        }
    }

    /**
     * Epoch over all ranks.
     *
     * @param epoch epoch, from 1
     * @param epochSeconds training time of the slowest rank, in seconds
     * @param wallClockSeconds time from the start of the run until every rank had reported the
     *     epoch, on the clock of the service: with evaluations, checkpoints and restarts; null if
     *     unknown, as for imported runs
     * @param testAccuracy test accuracy of the mean of all replicas; null without an evaluation
     * @param testLoss test loss of the mean of all replicas; null without an evaluation
     * @param meanLoss mean training loss of all ranks
     * @param replicasIdentical whether all replicas had the same weights at the end
     * @param distance consensus distance; null without an evaluation, unless replicas that the
     *     method keeps equal differ, and if an agent of protocol 0.1 has not measured it
     * @param ranks figures by rank
     */
    public record EpochView(
            int epoch,
            double epochSeconds,
            @Nullable Double wallClockSeconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            double meanLoss,
            boolean replicasIdentical,
            @Nullable ConsensusDistance distance,
            List<RankView> ranks) {}

    /**
     * Epoch of one rank.
     *
     * @param rank rank, from 0
     * @param generation generation that trained it, maybe on another worker than the present one
     * @param samples samples on which the rank trained
     * @param computeSeconds time of gradients, in seconds
     * @param encodeSeconds time of the codec, in seconds
     * @param transferSeconds time of sending and receiving, in seconds
     * @param waitSeconds time of waiting for other ranks, in seconds
     * @param applySeconds time of weight updates, in seconds
     * @param hiddenSeconds overlapped communication time; in none of the phases before it, which
     *     sum to the wall time
     * @param wallSeconds time of the epoch, in seconds, evaluation excluded
     * @param bytesSent bytes of all kinds that the rank sent, headers included
     * @param traffic bytes and frames that the rank sent, by kind
     * @param updates steps of this rank's weights
     * @param meanLoss mean training loss
     * @param ownAccuracy accuracy of this replica's own weights; null without an evaluation
     * @param ownLoss test loss of this replica's own weights; null without an evaluation
     * @param parameters checksum of the weights at the end of the epoch
     * @param difference distance from the first replica; null if both are equal, the method does
     *     not keep replicas equal, or an agent of protocol 0.1 has not measured it
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
            WeightUpdates updates,
            double meanLoss,
            @Nullable Double ownAccuracy,
            @Nullable Double ownLoss,
            String parameters,
            @Nullable ReplicaDistance difference) {}

    /** Returns the time of the run on its agents, in seconds; null if unknown. */
    public @Nullable Double elapsedSeconds() {
        return times == null ? null : times.elapsedSeconds();
    }

    /** Returns the elapsed time by run phase; null if unknown. */
    public @Nullable RunPhases phases() {
        return times == null ? null : times.phases();
    }

    /** Details of a run besides its row, as {@link RunViews} reads them. */
    record Details(
            List<RunRank> replicas,
            List<Validation.Rank> predictions,
            List<RankEpoch> results,
            EpochTimes ends,
            @Nullable RunTimes times,
            long droppedPoints,
            @Nullable ModelView model,
            @Nullable Notes notes) {}

    static RunView of(Run run, Progress progress, @Nullable QueuePosition queue, Details details) {
        return new RunView(
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
                run.configuration(),
                run.waiting(),
                queue == null ? null : queue.place(),
                queue == null ? null : queue.predictedStart(),
                run.failure(),
                run.generation(),
                run.rounds(),
                run.prediction(),
                validation(run, details.predictions(), current(run, details.results())),
                run.figure(RunFigures::epochSeconds),
                run.figure(RunFigures::testAccuracy),
                run.figure(RunFigures::testLoss),
                run.figure(RunFigures::replicasIdentical),
                progress,
                details.replicas().stream().map(it -> ReplicaView.of(it, run.rounds())).toList(),
                run.hybrid(),
                batchCounts(run, details.predictions(), current(run, details.results())),
                epochs(run, details),
                details.times(),
                details.droppedPoints(),
                run.preemptions(),
                run.restarts(),
                run.restartFailure(),
                run.notBefore(),
                run.checkpointEpoch(),
                run.refusal(),
                run.queuedAt(),
                run.startedAt(),
                run.endedAt(),
                run.revision(),
                details.model(),
                details.notes());
    }

    /** Returns the epochs of the present workers, to whom the prediction applies. */
    private static List<RankEpoch> current(Run run, List<RankEpoch> results) {
        return results.stream().filter(it -> it.generation() == run.generation()).toList();
    }

    private static @Nullable BatchEfficiency batchCounts(
            Run run, List<Validation.Rank> predictions, List<RankEpoch> current) {
        return BatchEfficiency.of(run.configuration(), predictions, current).orElse(null);
    }

    private static @Nullable Validation validation(
            Run run, List<Validation.Rank> predictions, List<RankEpoch> current) {
        Prediction prediction = run.prediction();
        return prediction == null
                ? null
                : Validation.of(prediction, run.measured(), predictions, current);
    }

    /** Returns the epochs that every rank has reported. */
    private static List<EpochView> epochs(Run run, Details details) {
        int servers = run.configuration().topology().servers();
        return details.results().stream()
                .collect(Collectors.groupingBy(it -> it.figures().epoch()))
                .entrySet()
                .stream()
                .filter(epoch -> epoch.getValue().size() == epoch.getValue().getFirst().ranks())
                .sorted(Map.Entry.comparingByKey())
                .map(epoch ->
                        epoch(
                                epoch.getKey(),
                                epoch.getValue(),
                                details.ends().seconds(run.startedAt(), epoch.getKey()),
                                servers))
                .toList();
    }

    private static EpochView epoch(
            int epoch, List<RankEpoch> results, @Nullable Double wallClockSeconds, int servers) {
        List<RankView> ranks = ranks(results);
        return new EpochView(
                epoch,
                ranks.stream().mapToDouble(RankView::wallSeconds).max().orElseThrow(),
                wallClockSeconds,
                results.getFirst().testAccuracy(),
                results.getFirst().testLoss(),
                meanLoss(ranks),
                ranks.stream().skip(servers).map(RankView::parameters).distinct().count() == 1,
                results.getFirst().figures().distance(),
                ranks);
    }

    private static List<RankView> ranks(List<RankEpoch> results) {
        return results.stream()
                .sorted(Comparator.comparingInt(RankEpoch::rank))
                .map(RunView::rank)
                .toList();
    }

    private static RankView rank(RankEpoch result) {
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
                figures.parameters(),
                figures.difference());
    }

    private static double meanLoss(List<RankView> ranks) {
        double samples = ranks.stream().mapToInt(RankView::samples).sum();
        double loss = ranks.stream().mapToDouble(it -> it.meanLoss() * it.samples()).sum();
        return loss / Math.max(1, samples);
    }
}
