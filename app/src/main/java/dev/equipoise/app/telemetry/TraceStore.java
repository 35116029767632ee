package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.TracePartRepository.StoredExtent;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Store of the traces of runs, one part for each thread and epoch. */
@Component
public class TraceStore {

    private final TracePartRepository parts;

    TraceStore(TracePartRepository parts) {
        this.parts = parts;
    }

    /**
     * Extent of a trace.
     *
     * @param begun beginning of the first slice, in nanoseconds; 0 if there is none
     * @param dropped number of dropped slices
     */
    public record Extent(long begun, long dropped) {}

    /** Slices of one thread in one epoch: phase, beginning and duration in nanoseconds. */
    public record Part(
            int rank,
            Strand strand,
            int epoch,
            List<Phase> phases,
            List<Long> begun,
            List<Long> nanos) {

        public Part {
            phases = List.copyOf(phases);
            begun = List.copyOf(begun);
            nanos = List.copyOf(nanos);
        }
    }

    public void keep(UUID run, Traced traced) {
        parts.save(new TracePart(run, traced));
    }

    public Extent extent(UUID run) {
        StoredExtent stored = parts.findExtent(run);
        return new Extent(
                Objects.requireNonNullElse(stored.begun(), 0L),
                Objects.requireNonNullElse(stored.dropped(), 0L));
    }

    /** Returns the ids of the parts of a run by thread, in order of time. */
    public List<Long> ids(UUID run) {
        return parts.findIds(run);
    }

    /** Returns some parts by thread, in order of time. */
    public List<Part> parts(Collection<Long> ids) {
        return parts.findParts(ids).stream().map(TracePart::read).toList();
    }

    /** Deletes the parts after the epoch to whose end a run goes back. */
    public void deleteAfter(UUID run, int epoch) {
        parts.deleteAfter(run, epoch);
    }
}
