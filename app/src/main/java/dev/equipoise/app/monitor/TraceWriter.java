package dev.equipoise.app.monitor;

import dev.equipoise.app.monitor.ChromeTrace.TraceEvent;
import dev.equipoise.app.monitor.Traces.Trace;
import dev.equipoise.app.telemetry.TraceStore.Part;
import dev.equipoise.protocol.RunReport.Strand;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Writes a {@link ChromeTrace} part by part. Not thread-safe. */
final class TraceWriter {

    private final JsonGenerator json;
    private final Trace trace;
    private final int process;

    /** Writes the beginning of the file with the names of processes and threads. */
    TraceWriter(JsonGenerator json, Trace trace) {
        this.json = json;
        this.trace = trace;
        this.process = trace.about().run().hashCode() & Integer.MAX_VALUE;
        json.writeStartObject();
        json.writeArrayPropertyStart("traceEvents");
        writeNames();
    }

    private void writeNames() {
        var about = trace.about();
        name("process_name", 0, "%s, run %s".formatted(about.experiment(), about.run()));
        for (int rank = 0; rank < trace.workers().size(); rank++) {
            String name = "rank %d on %s".formatted(rank, trace.workers().get(rank));
            name("thread_name", thread(rank, Strand.MAIN), name);
            name("thread_name", thread(rank, Strand.BACKGROUND), name + ", background");
        }
    }

    private void name(String kind, int thread, String name) {
        json.writePOJO(TraceEvent.name(kind, process, thread, name));
    }

    private static int thread(int rank, Strand strand) {
        return 2 * rank + (strand == Strand.BACKGROUND ? 1 : 0);
    }

    /** Writes the next part of a thread. */
    void write(Part part) {
        int thread = thread(part.rank(), part.strand());
        for (int i = 0; i < part.phases().size(); i++) {
            json.writePOJO(
                    TraceEvent.slice(
                            part.phases().get(i).name().toLowerCase(Locale.ROOT),
                            part.begun().get(i) - trace.origin(),
                            part.nanos().get(i),
                            process,
                            thread,
                            part.epoch()));
        }
    }

    /** Ends the file; without the end readers recognize it as truncated. */
    void end() {
        json.writeEndArray();
        json.writeStringProperty("displayTimeUnit", "ms");
        json.writePOJOProperty("otherData", trace.about());
        json.writeEndObject();
        json.close();
    }
}
