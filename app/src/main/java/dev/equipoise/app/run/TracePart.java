package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Phase;
import dev.equipoise.protocol.AgentEvent.Traced;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** Some slices of one thread's epoch. */
@Entity
class TracePart extends StrandPart {

    /** The first slice; null where all were dropped. */
    @SuppressWarnings("UnusedVariable") // read by queries alone
    private @Nullable Long begun;

    @JdbcTypeCode(SqlTypes.JSON)
    private Slices slices;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private long dropped;

    /** One slice after the other: what it was spent on, when it began and how long it took. */
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

    Slices slices() {
        return slices;
    }
}
