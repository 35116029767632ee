package dev.equipoise.app.monitor;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Trace of a run in the Trace Event Format of Chromium (JSON object format), which Perfetto and
 * chrome://tracing draw. A run is a process, and each rank has two threads in it.
 *
 * @param traceEvents slices and names
 * @param displayTimeUnit unit in which viewers show times
 * @param otherData run of the trace
 */
record ChromeTrace(List<TraceEvent> traceEvents, String displayTimeUnit, TraceMetadata otherData) {

    ChromeTrace {
        traceEvents = List.copyOf(traceEvents);
    }

    /**
     * Time slice, or the name of a process or a thread.
     *
     * @param name phase of a slice; for a name, what it names
     * @param cat {@code phase} for a slice, {@code __metadata} for a name
     * @param ph X for a slice, M for a name
     * @param ts beginning in microseconds since the first slice of the run; null for names
     * @param dur duration in microseconds; null for names
     * @param pid process: the run
     * @param tid twice the rank, plus one for its background thread
     * @param args further facts, by name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TraceEvent(
            String name,
            String cat,
            String ph,
            @Nullable BigDecimal ts,
            @Nullable BigDecimal dur,
            int pid,
            int tid,
            Map<String, Object> args) {

        private static final int DIGITS_OF_NANOS = 3;

        TraceEvent {
            args = Map.copyOf(args);
        }

        static TraceEvent slice(String name, long begun, long nanos, int pid, int tid, int epoch) {
            return new TraceEvent(
                    name,
                    "phase",
                    "X",
                    BigDecimal.valueOf(begun, DIGITS_OF_NANOS),
                    BigDecimal.valueOf(nanos, DIGITS_OF_NANOS),
                    pid,
                    tid,
                    Map.of("epoch", epoch));
        }

        static TraceEvent name(String kind, int pid, int tid, String name) {
            return new TraceEvent(
                    kind, "__metadata", "M", null, null, pid, tid, Map.of("name", name));
        }
    }

    /**
     * Metadata of a trace.
     *
     * @param run id of the run
     * @param experiment name of its experiment
     * @param position configuration of the experiment, from 0
     * @param droppedSlices slices that are missing because the run exceeded the limit of a trace
     */
    record TraceMetadata(UUID run, String experiment, int position, long droppedSlices) {}
}
