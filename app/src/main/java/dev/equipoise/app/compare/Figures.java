package dev.equipoise.app.compare;

import dev.equipoise.app.run.RunView;
import dev.equipoise.app.run.RunView.RankView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to so far; null is what is not known, as all is before the end of the first
 * epoch.
 *
 * @param finalAccuracy of the latest look at the test set, of the replicas' mean
 * @param replicaAccuracy of the replicas one by one, when they were last looked at: their mean
 * @param finalTestLoss at the same look
 * @param finalTrainingLoss mean over the samples of the last epoch
 * @param secondsToTarget of training until the accuracy first reached the target; null as well
 *     where it has not
 * @param bytesToTarget that all ranks had sent by then
 * @param trainingSeconds of the rank that needed the most; no time in which the test set is looked
 *     at
 * @param communicationSeconds in which data moves once all ranks are ready, mean over those that
 *     train
 * @param synchronizationSeconds the same with the time in which a rank waits for others
 * @param hiddenSeconds of exchanging in the background, mean over those that train; in none of the
 *     two before
 * @param encodeSeconds of coding and decoding, mean over those that train; in none of these either
 * @param bytesSent by all ranks
 * @param samples that all ranks trained on
 */
record Figures(
        @Nullable Double finalAccuracy,
        @Nullable Double bestAccuracy,
        @Nullable Double replicaAccuracy,
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
                    null);

    /**
     * Sums up a run.
     *
     * @param target a test accuracy, or null where none is asked for
     */
    static Figures of(RunView run, Curve curve, @Nullable Double target) {
        Optional<Curve.Point> last = curve.last();
        if (last.isEmpty()) {
            return UNKNOWN;
        }
        Optional<Curve.Point> look = curve.lastLook();
        Optional<Curve.Point> reached =
                Optional.ofNullable(target).flatMap(accuracy -> curve.reaching(accuracy));
        double transfer = meanOverReplicas(run, RankView::transferSeconds);
        return new Figures(
                look.map(Curve.Point::testAccuracy).orElse(null),
                curve.bestAccuracy(),
                replicaAccuracy(run),
                look.map(Curve.Point::testLoss).orElse(null),
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

    private static @Nullable Double replicaAccuracy(RunView run) {
        Map<Integer, Double> latest = new HashMap<>();
        for (RankView rank : ranks(run)) {
            if (rank.ownAccuracy() != null) {
                latest.put(rank.rank(), rank.ownAccuracy());
            }
        }
        OptionalDouble mean = latest.values().stream().mapToDouble(it -> it).average();
        return mean.isPresent() ? mean.getAsDouble() : null;
    }

    /** Servers count nowhere: they wait when nobody asks, and what they move, replicas move too. */
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
