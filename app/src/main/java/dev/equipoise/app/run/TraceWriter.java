package dev.equipoise.app.run;

import dev.equipoise.app.run.ChromeTrace.Event;
import dev.equipoise.app.run.TracePart.Slices;
import dev.equipoise.app.run.Traces.Trace;
import dev.equipoise.protocol.AgentEvent.Strand;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Writes a {@link ChromeTrace} as it comes. One thread uses it. */
final class TraceWriter {

    private final JsonGenerator json;
    private final Trace trace;
    private final int process;

    /** Begins with the names. */
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

    private void name(String ofWhat, int thread, String name) {
        json.writePOJO(Event.name(ofWhat, process, thread, name));
    }

    private static int thread(int rank, Strand strand) {
        return 2 * rank + (strand == Strand.BACKGROUND ? 1 : 0);
    }

    /** What comes next of its thread. */
    void write(TracePart part) {
        int thread = thread(part.rank(), part.strand());
        Slices slices = part.slices();
        for (int i = 0; i < slices.phases().size(); i++) {
            json.writePOJO(
                    Event.slice(
                            slices.phases().get(i).name().toLowerCase(Locale.ROOT),
                            slices.begun().get(i) - trace.origin(),
                            slices.nanos().get(i),
                            process,
                            thread,
                            part.epoch()));
        }
    }

    /** Without this the file is cut off, and readers see that it is. */
    void end() {
        json.writeEndArray();
        json.writeStringProperty("displayTimeUnit", "ms");
        json.writePOJOProperty("otherData", trace.about());
        json.writeEndObject();
        json.close();
    }
}
