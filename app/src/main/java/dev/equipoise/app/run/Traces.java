package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.ChromeTrace.OtherData;
import dev.equipoise.app.run.TracePartRepository.Extent;
import dev.equipoise.protocol.RunId;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Where the time of traced runs went. */
@Service
class Traces {

    /** About a megabyte at a time, and no connection is held while somebody reads slowly. */
    private static final int PARTS_AT_ONCE = 8;

    private final Runs runs;
    private final ReplicaRepository replicas;
    private final TracePartRepository parts;
    private final JsonMapper json;

    Traces(Runs runs, ReplicaRepository replicas, TracePartRepository parts, JsonMapper json) {
        this.runs = runs;
        this.replicas = replicas;
        this.parts = parts;
        this.json = json;
    }

    /**
     * A trace as far as it has been told.
     *
     * @param origin when the first slice began
     * @param workers of the ranks
     * @param parts in the order in which they are written
     */
    record Trace(OtherData about, long origin, List<String> workers, List<Long> parts) {

        Trace {
            workers = List.copyOf(workers);
            parts = List.copyOf(parts);
        }
    }

    /**
     * Looks one up.
     *
     * @throws Problem {@code not-found} where there is no such run, {@code not-traced} where its
     *     definition asks for no trace
     */
    @Transactional(readOnly = true)
    Trace find(Caller.User caller, RunId id) {
        Run run = runs.require(caller, id);
        if (!run.configuration().trace()) {
            throw Problem.of(
                    ErrorCode.NOT_TRACED,
                    "Run %s has no trace, as its definition does not say trace: true"
                            .formatted(id));
        }
        Extent extent = parts.findExtent(run.id());
        return new Trace(
                new OtherData(
                        run.id(),
                        run.experimentName(),
                        run.position(),
                        Objects.requireNonNullElse(extent.dropped(), 0L)),
                Objects.requireNonNullElse(extent.begun(), 0L),
                replicas.findByKeyRunIdOrderByKeyRank(run.id()).stream()
                        .map(Replica::workerName)
                        .toList(),
                parts.findIds(run.id()));
    }

    /** Writes it part by part. */
    void write(Trace trace, OutputStream out) {
        var writer = new TraceWriter(json.createGenerator(out), trace);
        for (int from = 0; from < trace.parts().size(); from += PARTS_AT_ONCE) {
            int to = Math.min(trace.parts().size(), from + PARTS_AT_ONCE);
            parts.findParts(trace.parts().subList(from, to)).forEach(writer::write);
        }
        writer.end();
    }
}
