package dev.equipoise.app.measurement;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The number of co-located workers that compute at the same time, in percent of one. A worker with
 * an emulated slowdown counts less, as it idles between its computations.
 *
 * @param percent at least 100
 */
public record HostLoad(int percent) {

    private static final int FULL = 100;

    /** The load of a single worker, whatever its slowdown. */
    public static final HostLoad ALONE = new HostLoad(FULL);

    /**
     * The load of co-located workers.
     *
     * @param slowDown slowdown of each worker, in addition to that of its host description
     */
    public static HostLoad of(List<LabWorker> company, ToDoubleFunction<WorkerId> slowDown) {
        double workers =
                company.stream()
                        .mapToDouble(
                                it -> 1 / (it.host().slowDown() * slowDown.applyAsDouble(it.id())))
                        .sum();
        return new HostLoad((int) Math.max(FULL, Math.round(FULL * workers)));
    }

    /** The load of co-located workers without additional slowdown. */
    public static HostLoad of(List<LabWorker> company) {
        return of(company, _ -> 1);
    }

    public int distance(HostLoad other) {
        return Math.abs(percent - other.percent);
    }

    /** The distance relative to the larger load, from 0 to 1. */
    public double differenceFrom(HostLoad other) {
        return distance(other) / (double) Math.max(percent, other.percent);
    }
}
