package dev.equipoise.app.profile;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How much the workers of one machine compute at the same time. A worker that is made slower rests
 * in between, and leaves the machine to the others meanwhile.
 *
 * @param percent of a worker at full speed, at least 100
 */
public record Load(int percent) {

    private static final int FULL = 100;

    /** A worker that computes alone has the machine for itself, however slow it is. */
    public static final Load ALONE = new Load(FULL);

    /**
     * Of workers of one machine.
     *
     * @param slowDown the factor by which each is slowed, beyond what it is anyway
     */
    public static Load of(List<LabWorker> company, ToDoubleFunction<WorkerId> slowDown) {
        double workers =
                company.stream()
                        .mapToDouble(
                                it -> 1 / (it.host().slowDown() * slowDown.applyAsDouble(it.id())))
                        .sum();
        return new Load((int) Math.max(FULL, Math.round(FULL * workers)));
    }

    /** Of workers that are not slowed. */
    public static Load of(List<LabWorker> company) {
        return of(company, _ -> 1);
    }

    public int distance(Load other) {
        return Math.abs(percent - other.percent);
    }

    /** As a part of the heavier one. */
    public double differenceFrom(Load other) {
        return distance(other) / (double) Math.max(percent, other.percent);
    }
}
