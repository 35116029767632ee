package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.StorableTimes;
import dev.equipoise.app.problem.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of the history of a worker that a request asks for. Pure.
 *
 * @param from begin, inclusive
 * @param to end, exclusive; after {@code from}
 * @param buckets number of equal parts
 */
record HistoryWindow(Instant from, Instant to, int buckets) {

    private static final Duration USUAL = Duration.ofDays(1);

    /** Length of the longest window, longer than any history. */
    private static final Duration LONGEST = Duration.ofDays(3660);

    /**
     * Returns a window.
     *
     * @param from null for a day before {@code to}
     * @param to null for now
     * @throws Problem {@code invalid-request} if it is empty, or longer than ten years
     */
    static HistoryWindow of(
            @Nullable Instant from, @Nullable Instant to, int buckets, Instant now) {
        Instant end = Objects.requireNonNullElse(StorableTimes.require("?to", to), now);
        Instant begin =
                Objects.requireNonNullElse(StorableTimes.require("?from", from), end.minus(USUAL));
        Duration length = Duration.between(begin, end);
        if (!length.isPositive() || length.compareTo(LONGEST) > 0) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "?from",
                                    "must be before to, %s, by at most %d days"
                                            .formatted(end, LONGEST.toDays()),
                                    begin)));
        }
        return new HistoryWindow(begin, end, buckets);
    }

    /**
     * Returns mean, least and greatest value of each bucket that has values.
     *
     * @param samples oldest first
     * @param value value of a sample; null if it has none
     */
    List<HistoryPoint> points(
            List<WorkerSample> samples, Function<WorkerSample, @Nullable Double> value) {
        SortedMap<Integer, DoubleSummaryStatistics> filled = new TreeMap<>();
        for (WorkerSample sample : samples) {
            Double one = value.apply(sample);
            if (one != null) {
                filled.computeIfAbsent(bucket(sample.at()), _ -> new DoubleSummaryStatistics())
                        .accept(one);
            }
        }
        return filled.entrySet().stream()
                .map(it -> HistoryPoint.of(begin(it.getKey()), it.getValue()))
                .toList();
    }

    private int bucket(Instant at) {
        double part = (double) Duration.between(from, at).toMillis() / length();
        return (int) Math.min(buckets - 1L, Math.max(0, (long) (part * buckets)));
    }

    private Instant begin(int bucket) {
        return from.plusMillis(length() * bucket / buckets);
    }

    /** Length in milliseconds, at least 1. */
    private long length() {
        return Math.max(1, Duration.between(from, to).toMillis());
    }

    /**
     * Returns the intervals between changes of state within the window, oldest first.
     *
     * @param newestFirst changes before the end of the window
     */
    List<StateInterval> intervals(List<StateChange> newestFirst) {
        List<StateInterval> intervals = new ArrayList<>();
        Instant until = to;
        for (StateChange change : newestFirst) {
            if (!until.isAfter(from)) {
                break;
            }
            Instant begin = change.at().isBefore(from) ? from : change.at();
            intervals.addFirst(new StateInterval(begin, until, change.state(), change.cordon()));
            until = change.at();
        }
        return List.copyOf(intervals);
    }
}
