package dev.equipoise.app.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Wall-clock times at which all ranks had reported the epochs of a run, on the clock of the
 * service.
 *
 * @param byEpoch times by epoch, which do not decrease
 */
public record EpochTimes(SortedMap<Integer, Instant> byEpoch) {

    private static final double NANOSECONDS = 1e9;

    public EpochTimes {
        byEpoch = Collections.unmodifiableSortedMap(new TreeMap<>(byEpoch));
    }

    /**
     * Report that completed an epoch.
     *
     * @param epoch epoch, from 1
     */
    record Report(int epoch, Instant at) {}

    /**
     * Creates the times from the reports in their order. An epoch that was trained again ended with
     * its last report. An epoch never ends before the previous one, even if the clock was set back.
     */
    static EpochTimes of(List<Report> reports) {
        SortedMap<Integer, Instant> times = new TreeMap<>();
        reports.forEach(it -> times.put(it.epoch(), it.at()));
        Instant latest = Instant.MIN;
        for (var epoch : times.entrySet()) {
            latest = latest.isAfter(epoch.getValue()) ? latest : epoch.getValue();
            epoch.setValue(latest);
        }
        return new EpochTimes(times);
    }

    /**
     * Returns the seconds from the start of the run to the end of an epoch.
     *
     * @param start null if the run has not started
     * @return null if one of both times is unknown
     */
    public @Nullable Double seconds(@Nullable Instant start, int epoch) {
        Instant end = byEpoch.get(epoch);
        return start == null || end == null
                ? null
                : Math.max(0, Duration.between(start, end).toNanos() / NANOSECONDS);
    }

    /**
     * Returns the seconds from the start of the run to the ends of its first epochs, up to the
     * first one whose time is unknown.
     *
     * @param start null if the run has not started
     * @param epochs limit of the epochs
     */
    public List<Double> ofFirst(int epochs, @Nullable Instant start) {
        List<Double> ends = new ArrayList<>();
        for (int epoch = 1; epoch <= epochs; epoch++) {
            Double seconds = seconds(start, epoch);
            if (seconds == null) {
                break;
            }
            ends.add(seconds);
        }
        return List.copyOf(ends);
    }
}
