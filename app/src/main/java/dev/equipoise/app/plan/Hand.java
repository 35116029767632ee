package dev.equipoise.app.plan;

import dev.equipoise.app.profile.Load;
import dev.equipoise.app.worker.LabWorker;
import java.util.Comparator;
import java.util.Map;

/**
 * A worker that could take a part, and how fast it is.
 *
 * @param paces by what its machine had to do meanwhile; none of a worker that nobody has measured
 * @param isTold whether its speed was not measured but is what it is, whoever else computes
 */
record Hand(LabWorker worker, Map<Load, Pace> paces, boolean isTold) {

    Hand {
        paces = Map.copyOf(paces);
    }

    static Hand told(LabWorker worker, Pace pace) {
        return new Hand(worker, Map.of(Load.ALONE, pace), true);
    }

    static Hand measured(LabWorker worker, Map<Load, Pace> paces) {
        return new Hand(worker, paces, false);
    }

    String name() {
        return worker.name();
    }

    boolean isKnown() {
        return !paces.isEmpty();
    }

    /**
     * How fast it is under a load as near to this one as was measured.
     *
     * @throws java.util.NoSuchElementException where nothing is known
     */
    Pace pace(Load load) {
        Map.Entry<Load, Pace> nearest =
                paces.entrySet().stream()
                        .min(
                                Comparator.<Map.Entry<Load, Pace>>comparingInt(
                                                it -> it.getKey().distance(load))
                                        .thenComparingInt(it -> it.getKey().percent()))
                        .orElseThrow();
        return isTold
                ? nearest.getValue()
                : nearest.getValue().under(nearest.getKey().differenceFrom(load));
    }

    /** Seconds of a training step when its machine is as busy as it ever was measured. */
    double seconds(int batch) {
        return pace(new Load(Integer.MAX_VALUE)).speed().seconds(batch);
    }
}
