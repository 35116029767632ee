package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.monitor.ChromeTrace.TraceMetadata;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunSnapshot;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.telemetry.TraceStore;
import dev.equipoise.app.telemetry.TraceStore.Extent;
import dev.equipoise.protocol.RunId;
import java.io.OutputStream;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Reads the traces of runs. */
@Service
class Traces {

    /** Parts read at once, about 1 MB; no connection is held while a client reads slowly. */
    private static final int PARTS_AT_ONCE = 8;

    private final Runs runs;
    private final TraceStore store;
    private final JsonMapper json;

    Traces(Runs runs, TraceStore store, JsonMapper json) {
        this.runs = runs;
        this.store = store;
        this.json = json;
    }

    /**
     * Trace as far as agents have reported it.
     *
     * @param origin beginning of the first slice, in nanoseconds
     * @param workers names of the workers by rank
     * @param parts ids in the order in which they are written
     */
    record Trace(TraceMetadata about, long origin, List<String> workers, List<Long> parts) {

        Trace {
            workers = List.copyOf(workers);
            parts = List.copyOf(parts);
        }
    }

    /**
     * Finds the trace of a run.
     *
     * @throws Problem {@code not-found} if the run does not exist, {@code not-traced} if its
     *     definition does not say {@code trace: true}
     */
    @Transactional(readOnly = true)
    Trace find(Caller.User caller, RunId id) {
        RunSnapshot run = runs.snapshot(caller, id);
        if (!run.configuration().instrumentation().trace()) {
            throw Problem.of(
                    ErrorCode.NOT_TRACED,
                    "Run %s has no trace: submit it again with trace: true in its definition"
                            .formatted(id));
        }
        Extent extent = store.extent(id.value());
        return new Trace(
                new TraceMetadata(
                        id.value(), run.experimentName(), run.position(), extent.dropped()),
                extent.begun(),
                runs.workerNames(id),
                store.ids(id.value()));
    }

    /** Writes a trace part by part. */
    void write(Trace trace, OutputStream out) {
        var writer = new TraceWriter(json.createGenerator(out), trace);
        for (int from = 0; from < trace.parts().size(); from += PARTS_AT_ONCE) {
            int to = Math.min(trace.parts().size(), from + PARTS_AT_ONCE);
            store.parts(trace.parts().subList(from, to)).forEach(writer::write);
        }
        writer.end();
    }
}
