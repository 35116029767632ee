package dev.equipoise.app.compare;

import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.SeedComparison;
import dev.equipoise.performance.statistics.ValueRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Times of the completed runs of a scaling line that have the same number of replicas.
 *
 * @param line label of the line: runs that differ in replicas and seed alone, or have the requested
 *     field in common
 * @param replicas number of replicas, without parameter servers
 * @param epoch median epoch time; null if a run lacks it
 * @param training training time; null likewise
 * @param target time to the target accuracy; null likewise
 */
record ScalingPoint(
        String line,
        int replicas,
        @Nullable ScaledTime epoch,
        @Nullable ScaledTime training,
        @Nullable ScaledTime target) {

    /**
     * A time with its speedup.
     *
     * @param seconds mean over the seeds
     * @param speedup speedup over one replica, taking the fewest replicas of the line to scale
     *     ideally: their number times the ratio of the times, paired by seed
     */
    record ScaledTime(MeanEstimate seconds, MeanEstimate speedup) {}

    /** Completed run of a line. */
    record TimedRun(String line, int replicas, ComparedRun run) {}

    /** Returns the points by line, and by ascending number of replicas within a line. */
    static List<ScalingPoint> of(List<TimedRun> runs) {
        Map<String, SortedMap<Integer, List<ComparedRun>>> lines = new LinkedHashMap<>();
        runs.forEach(it ->
                lines.computeIfAbsent(it.line(), _ -> new TreeMap<>())
                        .computeIfAbsent(it.replicas(), _ -> new ArrayList<>())
                        .add(it.run()));
        List<ScalingPoint> points = new ArrayList<>();
        lines.forEach((line, byReplicas) -> points.addAll(points(line, byReplicas)));
        return List.copyOf(points);
    }

    private static List<ScalingPoint> points(
            String line, SortedMap<Integer, List<ComparedRun>> byReplicas) {
        Map<Integer, ScaledTime> epoch = scaled(byReplicas, ComparedRun::epochSeconds);
        Map<Integer, ScaledTime> training =
                scaled(byReplicas, it -> it.figures().trainingSeconds());
        Map<Integer, ScaledTime> target = scaled(byReplicas, it -> it.figures().secondsToTarget());
        return byReplicas.keySet().stream()
                .map(it ->
                        new ScalingPoint(line, it, epoch.get(it), training.get(it), target.get(it)))
                .toList();
    }

    /** Returns the times by the number of replicas; none where a run lacks its time. */
    private static Map<Integer, ScaledTime> scaled(
            SortedMap<Integer, List<ComparedRun>> byReplicas,
            Function<ComparedRun, @Nullable Number> time) {
        SortedMap<Integer, SortedMap<Long, Double>> seconds = new TreeMap<>();
        byReplicas.forEach((replicas, runs) -> {
            SortedMap<Long, Double> bySeed = SeedRuns.of(runs).values(time);
            if (!bySeed.isEmpty() && bySeed.values().stream().allMatch(it -> it > 0)) {
                seconds.put(replicas, bySeed);
            }
        });
        Map<Integer, ScaledTime> scaled = new HashMap<>();
        seconds.forEach((replicas, own) -> scaled.put(replicas, scaled(seconds, replicas, own)));
        return scaled;
    }

    private static ScaledTime scaled(
            SortedMap<Integer, SortedMap<Long, Double>> seconds,
            int replicas,
            SortedMap<Long, Double> own) {
        int fewest = seconds.firstKey();
        MeanEstimate mean =
                Objects.requireNonNull(
                        MeanEstimate.of(List.copyOf(own.values()), ValueRange.NON_NEGATIVE));
        if (replicas == fewest) {
            return new ScaledTime(mean, MeanEstimate.exactly(1, fewest));
        }
        SortedMap<Long, Double> base = Objects.requireNonNull(seconds.get(fewest));
        MeanEstimate ratio = Objects.requireNonNull(SeedComparison.ratio(base, own));
        return new ScaledTime(mean, ratio.times(fewest));
    }
}
