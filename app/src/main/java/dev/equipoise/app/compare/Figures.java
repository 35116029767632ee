package dev.equipoise.app.compare;

import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.run.RunView;
import dev.equipoise.app.run.RunView.RankView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a run so far; null if unknown, as all are before the end of the first epoch
 * (docs/algorithms.md, section 10).
 *
 * @param finalAccuracy test accuracy of the replicas' mean, at the last evaluation
 * @param bestAccuracy highest test accuracy of the replicas' mean
 * @param replicaAccuracy mean of the replicas' own accuracies, at their last evaluation
 * @param bestReplicaAccuracy highest of the replicas' own accuracies, at their last evaluation
 * @param bestReplica rank of that replica, the first of equals
 * @param finalTestLoss test loss at the last evaluation
 * @param finalTrainingLoss mean over the samples of the last epoch
 * @param secondsToTarget time to accuracy: training time until the compared accuracy first reached
 *     the target; null also if it did not
 * @param bytesToTarget bytes that all ranks had sent by then
 * @param trainingSeconds training time on the slowest rank, evaluation excluded
 * @param communicationSeconds transfer time, mean over the ranks that train
 * @param synchronizationSeconds transfer and wait time, mean over the ranks that train
 * @param hiddenSeconds overlapped communication time, mean over the ranks that train; in none of
 *     the two before
 * @param encodeSeconds time of encoding and decoding, mean over the ranks that train; in none of
 *     these either
 * @param bytesSent bytes that all ranks sent
 * @param samples samples that all ranks trained on
 */
@Schema(name = "ComparedFigures")
record Figures(
        @Nullable Double finalAccuracy,
        @Nullable Double bestAccuracy,
        @Nullable Double replicaAccuracy,
        @Nullable Double bestReplicaAccuracy,
        @Nullable Integer bestReplica,
        @Nullable Double finalTestLoss,
        @Nullable Double finalTrainingLoss,
        @Nullable Double secondsToTarget,
        @Nullable Long bytesToTarget,
        @Nullable Double trainingSeconds,
        @Nullable Double communicationSeconds,
        @Nullable Double synchronizationSeconds,
        @Nullable Double hiddenSeconds,
        @Nullable Double encodeSeconds,
        @Nullable Long bytesSent,
        @Nullable Long samples) {

    static final Figures UNKNOWN =
            new Figures(
                    null, null, null, null, null, null, null, null, null, null, null, null, null,
                    null, null, null);

    /** Summarizes a run. */
    static Figures of(RunView run, Curve curve, Criterion criterion) {
        Optional<Curve.Point> last = curve.last();
        if (last.isEmpty()) {
            return UNKNOWN;
        }
        Optional<Curve.Point> evaluated = curve.lastEvaluation();
        Optional<Curve.Point> reached = curve.reaching(criterion);
        double transfer = meanOverReplicas(run, RankView::transferSeconds);
        SortedMap<Integer, Double> replicas = replicaAccuracies(run);
        Optional<Map.Entry<Integer, Double>> best = best(replicas);
        return new Figures(
                evaluated.map(Curve.Point::testAccuracy).orElse(null),
                curve.bestAccuracy(),
                mean(replicas),
                best.map(Map.Entry::getValue).orElse(null),
                best.map(Map.Entry::getKey).orElse(null),
                evaluated.map(Curve.Point::testLoss).orElse(null),
                last.get().trainingLoss(),
                reached.map(Curve.Point::seconds).orElse(null),
                reached.map(Curve.Point::bytes).orElse(null),
                last.get().seconds(),
                transfer,
                transfer + meanOverReplicas(run, RankView::waitSeconds),
                meanOverReplicas(run, RankView::hiddenSeconds),
                meanOverReplicas(run, RankView::encodeSeconds),
                last.get().bytes(),
                sum(run, RankView::samples));
    }

    /** Returns the final accuracy of the mean, or that of the replicas. */
    @Nullable Double accuracy(ComparedAccuracy compared) {
        return new Criterion(compared, null).of(finalAccuracy, replicaAccuracy);
    }

    /** Returns the last evaluated own accuracy of each replica, by rank. */
    private static SortedMap<Integer, Double> replicaAccuracies(RunView run) {
        SortedMap<Integer, Double> latest = new TreeMap<>();
        for (RankView rank : ranks(run)) {
            if (rank.ownAccuracy() != null) {
                latest.put(rank.rank(), rank.ownAccuracy());
            }
        }
        return latest;
    }

    private static @Nullable Double mean(SortedMap<Integer, Double> accuracies) {
        OptionalDouble mean = accuracies.values().stream().mapToDouble(it -> it).average();
        return mean.isPresent() ? mean.getAsDouble() : null;
    }

    private static Optional<Map.Entry<Integer, Double>> best(
            SortedMap<Integer, Double> accuracies) {
        return accuracies.entrySet().stream()
                .min(
                        Map.Entry.<Integer, Double>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()));
    }

    /**
     * Returns the mean without servers: they wait while idle, and replicas move all that servers
     * move.
     */
    private static double meanOverReplicas(RunView run, ToDoubleFunction<RankView> figure) {
        int servers = run.configuration().topology().servers();
        return ranks(run).stream().filter(rank -> rank.rank() >= servers).mapToDouble(figure).sum()
                / run.configuration().workers().replicas();
    }

    private static long sum(RunView run, ToLongFunction<RankView> figure) {
        return ranks(run).stream().mapToLong(figure).sum();
    }

    private static List<RankView> ranks(RunView run) {
        return run.epochs().stream().flatMap(epoch -> epoch.ranks().stream()).toList();
    }
}
