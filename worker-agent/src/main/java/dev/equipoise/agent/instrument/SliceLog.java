package dev.equipoise.agent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The slices of one thread in one epoch, of which it keeps the first. One thread uses it. */
final class SliceLog {

    private final int most;
    private final List<Slice> slices = new ArrayList<>();

    /** By the beginning of a slice, how much of it was spent waiting. */
    private final Map<Long, Long> waits = new HashMap<>();

    private long dropped;

    /**
     * @param most that are kept; 0 for none
     */
    SliceLog(int most) {
        this.most = most;
    }

    void clear() {
        slices.clear();
        waits.clear();
        dropped = 0;
    }

    /** One more, unless it took no time. */
    void add(Phase phase, long begun, long ended) {
        if (ended > begun && slices.size() < most) {
            slices.add(new Slice(phase, begun, ended));
        } else if (ended > begun) {
            dropped++;
        }
    }

    void addAll(SliceLog other) {
        other.slices.forEach(slice -> add(slice.phase(), slice.begun(), slice.ended()));
        dropped += other.dropped;
    }

    /** The slice that began then began with a wait, which was taken for a part of it. */
    void waited(long begun, long nanoseconds) {
        if (nanoseconds > 0 && !slices.isEmpty() && begun <= slices.getLast().begun()) {
            waits.put(begun, nanoseconds);
        }
    }

    /** In the order of time, waits by themselves. */
    List<Slice> toList() {
        List<Slice> all = new ArrayList<>(slices.size() + waits.size());
        for (Slice slice : slices) {
            long waited = slice.begun() + waits.getOrDefault(slice.begun(), 0L);
            if (waited > slice.begun()) {
                all.add(new Slice(Phase.WAIT, slice.begun(), waited));
            }
            if (slice.ended() > waited) {
                all.add(new Slice(slice.phase(), waited, slice.ended()));
            }
        }
        return all;
    }

    /** How many have come that it has not kept. */
    long dropped() {
        return dropped;
    }
}
