package dev.equipoise.app.plan;

import dev.equipoise.app.plan.Ranking.Placed;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.prediction.PredictionOutcome;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.performance.statistics.TieGroups.Interval;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The response to a plan request: predicted configurations, the best first.
 *
 * @param advice what can be said about the best entries, with its doubts; null if nothing can be
 *     predicted
 * @param target target accuracy of the request; null without one
 * @param considered number of predicted configurations
 * @param tied number of them that the predictions cannot tell from the first
 * @param ranking the best of them and all submitted configurations
 * @param leftOut messages about excluded configurations and workers
 * @param trust accuracy of past predictions
 */
record Plan(
        @Nullable String advice,
        @Nullable Double target,
        int considered,
        int tied,
        List<Entry> ranking,
        List<String> leftOut,
        LabTrust trust) {

    private static final int MAX_ENTRIES = 25;
    private static final int MAX_RUNS = 50;

    /**
     * A predicted configuration.
     *
     * @param tie number of its tie group, from 1: the intervals of its entries overlap that of the
     *     first of them, so that the order within it is unknown
     * @param label short description
     * @param own whether it is a submitted configuration
     * @param settings differences from the definition, each as path=value
     * @param method synchronization method
     * @param partitioning division of the samples among the ranks
     * @param replicas number of replicas, without parameter servers
     * @param epochSeconds predicted seconds of an epoch
     * @param epochSecondsLow lower end of the prediction interval; null if the uncertainty is
     *     unknown
     * @param epochSecondsHigh upper end likewise
     * @param computeSeconds computing time of the rank that computes longest
     * @param exchangeSeconds epochSeconds minus computeSeconds
     * @param uncertainty u of the prediction interval from epochSeconds / (1 + u) to epochSeconds
     *     (1 + u)
     * @param bytes sent by all ranks in an epoch
     * @param learning epochs to accuracy of earlier runs; null without target or such runs
     * @param secondsToTarget epochs to accuracy times epochSeconds; null without them
     * @param secondsToTargetLow least epochs to accuracy times epochSecondsLow; null without them
     * @param secondsToTargetHigh most epochs to accuracy times epochSecondsHigh; null likewise
     * @param ranks prediction by rank
     * @param batchCounts choices for a definition with batch counts: its own counts, then each
     *     choice that is more efficient than all choices with fewer mini-batches
     * @param reason the reasons for its speed
     * @param doubts caveats of the prediction
     * @param trust accuracy of past predictions of the same class
     */
    @Schema(name = "Plan.Entry")
    record Entry(
            int tie,
            String label,
            boolean own,
            List<String> settings,
            Method method,
            Partitioning partitioning,
            int replicas,
            double epochSeconds,
            @Nullable Double epochSecondsLow,
            @Nullable Double epochSecondsHigh,
            double computeSeconds,
            double exchangeSeconds,
            @Nullable Double uncertainty,
            @Nullable Long bytes,
            @Nullable EpochsToAccuracy learning,
            @Nullable Double secondsToTarget,
            @Nullable Double secondsToTargetLow,
            @Nullable Double secondsToTargetHigh,
            List<Part> ranks,
            List<Counts> batchCounts,
            String reason,
            List<String> doubts,
            BiasCorrection.Trust trust) {

        static Entry of(Placed placed) {
            Ranked ranked = placed.ranked();
            var prediction = ranked.forecast().prediction();
            Interval epoch = prediction.uncertainty() == null ? null : ranked.epochInterval();
            Interval target = epoch == null ? null : ranked.targetInterval();
            return new Entry(
                    placed.tie(),
                    PlanExplanation.of(ranked.configuration()),
                    ranked.own(),
                    ranked.alternative().changes().entrySet().stream()
                            .map(it -> it.getKey() + "=" + it.getValue())
                            .toList(),
                    ranked.configuration().method(),
                    ranked.configuration().partitioning(),
                    ranked.configuration().workers().replicas(),
                    prediction.epochSeconds(),
                    epoch == null ? null : epoch.low(),
                    epoch == null ? null : epoch.high(),
                    prediction.computeSeconds(),
                    prediction.exchangeSeconds(),
                    prediction.uncertainty(),
                    prediction.bytes(),
                    ranked.learning().orElse(null),
                    ranked.secondsToTarget(),
                    target == null ? null : target.low(),
                    target == null ? null : target.high(),
                    IntStream.range(0, ranked.configuration().ranks())
                            .mapToObj(rank -> Part.of(ranked, rank))
                            .toList(),
                    Counts.of(ranked),
                    PlanExplanation.reason(ranked),
                    PlanExplanation.caveats(ranked),
                    ranked.trust());
        }
    }

    /**
     * Mini-batches of a round, by replica.
     *
     * @param counts mini-batches of each replica in a round
     * @param efficiency batch efficiency: busy time over occupied time, from 0 to 1
     */
    @Schema(name = "Plan.Counts")
    record Counts(List<Integer> counts, double efficiency) {

        /** Limit of mini-batches, as larger rounds mean fewer updates. */
        private static final int MAX_PER_REPLICA = 4;

        static List<Counts> of(Ranked ranked) {
            if (!(ranked.configuration().partitioning()
                    instanceof Partitioning.BatchCounts(var own))) {
                return List.of();
            }
            List<Double> speeds = ranked.candidate().speeds();
            return Stream.concat(
                            Stream.of(BatchCounts.of(own, speeds)),
                            BatchCounts.choices(speeds, MAX_PER_REPLICA * speeds.size()).stream())
                    .map(it -> new Counts(it.counts(), it.efficiency()))
                    .distinct()
                    .toList();
        }
    }

    /**
     * The prediction of one rank.
     *
     * @param rank rank, from 0
     * @param worker name of the worker
     * @param share samples an epoch
     * @param seconds predicted phase times of an epoch
     */
    @Schema(name = "Plan.Part")
    record Part(int rank, String worker, int share, RankSeconds seconds) {

        static Part of(Ranked ranked, int rank) {
            return new Part(
                    rank,
                    ranked.candidate().candidateWorker(rank).name(),
                    ranked.shares().get(rank),
                    ranked.forecast().ranks().get(rank));
        }
    }

    /**
     * The accuracy of past predictions over all completed runs of the lab.
     *
     * @param runs number of completed runs with a prediction
     * @param meanAbsoluteError MAPE: mean of |predicted - measured| / measured; null without runs
     * @param kinds prediction classes with enough runs, of which the caller may see at least one
     * @param visibleRuns the newest of the runs that the caller may see
     */
    @Schema(name = "Plan.LabTrust")
    record LabTrust(
            int runs,
            @Nullable Double meanAbsoluteError,
            List<KindTrust> kinds,
            List<RunId> visibleRuns) {

        static LabTrust of(BiasCorrection biasCorrection, Predicate<UUID> mayUse) {
            BiasCorrection.Trust all = BiasCorrection.Trust.of(biasCorrection.runs());
            return new LabTrust(
                    all.runs(),
                    all.meanAbsoluteError(),
                    biasCorrection.kinds().stream()
                            .filter(kind ->
                                    biasCorrection.of(kind).stream()
                                            .anyMatch(it -> mayUse.test(it.project())))
                            .map(kind ->
                                    new KindTrust(
                                            kind,
                                            BiasCorrection.Trust.of(biasCorrection.of(kind)),
                                            biasCorrection.correction(kind).factor()))
                            .toList(),
                    biasCorrection.runs().stream()
                            .filter(it -> mayUse.test(it.project()))
                            .map(PredictionOutcome::run)
                            .limit(MAX_RUNS)
                            .toList());
        }
    }

    /**
     * The accuracy of past predictions of one prediction class.
     *
     * @param kind prediction class
     * @param trust accuracy of its past predictions
     * @param factor bias correction of the class
     */
    @Schema(name = "Plan.KindTrust")
    record KindTrust(PredictionClass kind, BiasCorrection.Trust trust, double factor) {}

    static Plan of(Ranking ranking, @Nullable Double target, LabTrust trust) {
        return new Plan(
                ranking.ties().isEmpty() ? null : PlanExplanation.advice(ranking.ties().getFirst()),
                target,
                ranking.entries().size(),
                ranking.ties().isEmpty() ? 0 : ranking.ties().getFirst().size(),
                ranking.best(MAX_ENTRIES).stream().map(Entry::of).toList(),
                ranking.leftOut(),
                trust);
    }
}
