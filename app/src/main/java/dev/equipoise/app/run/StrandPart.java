package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Strand;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A part of what a rank tells of one thread's epoch; never changes once stored. */
@MappedSuperclass
abstract class StrandPart {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private UUID runId;

    private int rank;

    @Enumerated(EnumType.STRING)
    private Strand strand;

    private int epoch;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected StrandPart() {}

    StrandPart(UUID run, int rank, Strand strand, int epoch) {
        this.runId = run;
        this.rank = rank;
        this.strand = strand;
        this.epoch = epoch;
    }

    long id() {
        return Objects.requireNonNull(id);
    }

    int rank() {
        return rank;
    }

    Strand strand() {
        return strand;
    }

    int epoch() {
        return epoch;
    }
}
