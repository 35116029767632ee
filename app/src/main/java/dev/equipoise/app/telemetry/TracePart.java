package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Traced;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** Slices of one thread in one epoch. */
@Entity
class TracePart extends ThreadRecordPart {

    /** Beginning of the first slice, in nanoseconds; null if all slices were dropped. */
    @SuppressWarnings("UnusedVariable") // read by queries alone
    private @Nullable Long begun;

    @JdbcTypeCode(SqlTypes.JSON)
    private Slices slices;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private long dropped;

    /** Slices in their order: phase, beginning and duration in nanoseconds. */
    record Slices(List<Phase> phases, List<Long> begun, List<Long> nanos) {

        Slices {
            phases = List.copyOf(phases);
            begun = List.copyOf(begun);
            nanos = List.copyOf(nanos);
        }
    }

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected TracePart() {}

    TracePart(UUID run, Traced traced) {
        super(run, traced.rank(), traced.strand(), traced.epoch());
        this.begun = traced.begun().isEmpty() ? null : traced.begun().getFirst();
        this.slices = new Slices(traced.phases(), traced.begun(), traced.nanos());
        this.dropped = traced.dropped();
    }

    TraceStore.Part read() {
        return new TraceStore.Part(
                rank(), strand(), epoch(), slices.phases(), slices.begun(), slices.nanos());
    }
}
