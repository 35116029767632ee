package dev.equipoise.app.plan;

import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.run.RankSeconds;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.app.run.Validated;
import dev.equipoise.performance.partition.BatchCounts;
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
 * What could be done, and how long it would take.
 *
 * @param advice what to do, in a sentence; null where nothing can be predicted
 * @param considered how many ways were looked at
 * @param ranking the best of them and all that the definition itself says, best first
 * @param leftOut what was not looked at, with the reason
 * @param trust how far earlier predictions were off
 */
record Plan(
        @Nullable String advice,
        @Nullable Double target,
        int considered,
        List<Entry> ranking,
        List<String> leftOut,
        LabTrust trust) {

    private static final int MOST_ENTRIES = 25;
    private static final int MOST_RUNS = 50;

    /**
     * One way to do it.
     *
     * @param label in short
     * @param own whether the definition says so
     * @param settings what is other than in the definition, each as path=value
     * @param replicas that train; servers are ranks beside them
     * @param epochSeconds that are predicted
     * @param computeSeconds of the rank that computes longest
     * @param exchangeSeconds what an epoch lasts beyond that
     * @param uncertainty u, for which an epoch is expected between epochSeconds / (1 + u) and
     *     epochSeconds (1 + u)
     * @param bytes that all ranks send in an epoch
     * @param learning of earlier runs; null where no target is asked for, or nothing known
     * @param secondsToTarget epochs by what those have needed; null without them
     * @param batchCounts how many mini-batches the replicas might take in a round, where the
     *     definition says that each has a number of its own: first its own numbers, then each
     *     choice that is better than all of fewer mini-batches
     * @param reason why it is as fast, or as slow, as it is
     * @param doubts what was guessed
     * @param trust how far predictions of the same kind were off
     */
    @Schema(name = "Plan.Entry")
    record Entry(
            String label,
            boolean own,
            List<String> settings,
            Method method,
            Partitioning partitioning,
            int replicas,
            double epochSeconds,
            double computeSeconds,
            double exchangeSeconds,
            @Nullable Double uncertainty,
            @Nullable Long bytes,
            @Nullable Learning learning,
            @Nullable Double secondsToTarget,
            List<Part> ranks,
            List<Counts> batchCounts,
            String reason,
            List<String> doubts,
            Calibration.Trust trust) {

        static Entry of(Ranked ranked) {
            var prediction = ranked.forecast().prediction();
            return new Entry(
                    Wording.of(ranked.configuration()),
                    ranked.own(),
                    ranked.alternative().changes().entrySet().stream()
                            .map(it -> it.getKey() + "=" + it.getValue())
                            .toList(),
                    ranked.configuration().method(),
                    ranked.configuration().partitioning(),
                    ranked.configuration().workers().replicas(),
                    prediction.epochSeconds(),
                    prediction.computeSeconds(),
                    prediction.exchangeSeconds(),
                    prediction.uncertainty(),
                    prediction.bytes(),
                    ranked.learning().orElse(null),
                    ranked.secondsToTarget(),
                    IntStream.range(0, ranked.configuration().ranks())
                            .mapToObj(rank -> Part.of(ranked, rank))
                            .toList(),
                    Counts.of(ranked),
                    Wording.reason(ranked),
                    Wording.doubts(ranked),
                    ranked.trust());
        }
    }

    /**
     * Mini-batches of a round, by replica.
     *
     * @param efficiency what is computed in a round against what could be in the same time
     */
    @Schema(name = "Plan.Counts")
    record Counts(List<Integer> counts, double efficiency) {

        /** Larger rounds have fewer updates. */
        private static final int MOST_A_REPLICA = 4;

        static List<Counts> of(Ranked ranked) {
            if (!(ranked.configuration().partitioning()
                    instanceof Partitioning.BatchCounts(var own))) {
                return List.of();
            }
            List<Double> speeds = ranked.crew().speeds();
            return Stream.concat(
                            Stream.of(BatchCounts.of(own, speeds)),
                            BatchCounts.choices(speeds, MOST_A_REPLICA * speeds.size()).stream())
                    .map(it -> new Counts(it.counts(), it.efficiency()))
                    .distinct()
                    .toList();
        }
    }

    /**
     * A rank.
     *
     * @param share samples an epoch
     */
    @Schema(name = "Plan.Part")
    record Part(int rank, String worker, int share, RankSeconds seconds) {

        static Part of(Ranked ranked, int rank) {
            return new Part(
                    rank,
                    ranked.crew().hand(rank).name(),
                    ranked.shares().get(rank),
                    ranked.forecast().ranks().get(rank));
        }
    }

    /**
     * Of all runs of the lab that were predicted and have completed.
     *
     * @param kinds of which there are enough runs, and one that the caller may see
     * @param visibleRuns the newest of them that the caller may see
     */
    @Schema(name = "Plan.LabTrust")
    record LabTrust(
            int runs,
            @Nullable Double meanAbsoluteError,
            List<KindTrust> kinds,
            List<RunId> visibleRuns) {

        static LabTrust of(Calibration calibration, Predicate<UUID> mayUse) {
            Calibration.Trust all = Calibration.Trust.of(calibration.runs());
            return new LabTrust(
                    all.runs(),
                    all.meanAbsoluteError(),
                    calibration.kinds().stream()
                            .filter(kind ->
                                    calibration.of(kind).stream()
                                            .anyMatch(it -> mayUse.test(it.project())))
                            .map(kind ->
                                    new KindTrust(
                                            kind,
                                            Calibration.Trust.of(calibration.of(kind)),
                                            calibration.correction(kind).factor()))
                            .toList(),
                    calibration.runs().stream()
                            .filter(it -> mayUse.test(it.project()))
                            .map(Validated::run)
                            .limit(MOST_RUNS)
                            .toList());
        }
    }

    /**
     * Of the runs of one kind.
     *
     * @param factor by which the time model is corrected for them
     */
    @Schema(name = "Plan.KindTrust")
    record KindTrust(RunKind kind, Calibration.Trust trust, double factor) {}

    static Plan of(Ranking ranking, @Nullable Double target, LabTrust trust) {
        return new Plan(
                ranking.entries().isEmpty() ? null : Wording.advice(ranking.entries().getFirst()),
                target,
                ranking.entries().size(),
                ranking.best(MOST_ENTRIES).stream().map(Entry::of).toList(),
                ranking.leftOut(),
                trust);
    }
}
