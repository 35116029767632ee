package dev.equipoise.agent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Log of the first slices of one thread in an epoch. One thread uses it. */
final class SliceLog {

    private final int max;
    private final List<TraceSlice> slices = new ArrayList<>();

    /** Wait time at the beginning of a slice, in nanoseconds, by the start of the slice. */
    private final Map<Long, Long> waits = new HashMap<>();

    private long dropped;

    /**
     * @param max number of slices that are kept
     */
    SliceLog(int max) {
        this.max = max;
    }

    void clear() {
        slices.clear();
        waits.clear();
        dropped = 0;
    }

    /** Adds a slice unless it is empty. */
    void add(Phase phase, long begun, long ended) {
        if (ended > begun && slices.size() < max) {
            slices.add(new TraceSlice(phase, begun, ended));
        } else if (ended > begun) {
            dropped++;
        }
    }

    void addAll(SliceLog other) {
        other.slices.forEach(slice -> add(slice.phase(), slice.begun(), slice.ended()));
        dropped += other.dropped;
    }

    /** Marks the beginning of a slice as wait time. */
    void waited(long begun, long nanoseconds) {
        if (nanoseconds > 0 && !slices.isEmpty() && begun <= slices.getLast().begun()) {
            waits.put(begun, nanoseconds);
        }
    }

    /** Returns the slices in order of time, with waits as slices of their own. */
    List<TraceSlice> toList() {
        List<TraceSlice> all = new ArrayList<>(slices.size() + waits.size());
        for (TraceSlice slice : slices) {
            long waited = slice.begun() + waits.getOrDefault(slice.begun(), 0L);
            if (waited > slice.begun()) {
                all.add(new TraceSlice(Phase.WAIT, slice.begun(), waited));
            }
            if (slice.ended() > waited) {
                all.add(new TraceSlice(slice.phase(), waited, slice.ended()));
            }
        }
        return all;
    }

    /** Returns the number of slices that were dropped. */
    long dropped() {
        return dropped;
    }
}
