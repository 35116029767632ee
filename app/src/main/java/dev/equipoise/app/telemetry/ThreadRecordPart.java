package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.Strand;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Part of the record that a rank reports of one thread in one epoch; immutable once stored. */
@MappedSuperclass
abstract class ThreadRecordPart {

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
    protected ThreadRecordPart() {}

    ThreadRecordPart(UUID run, int rank, Strand strand, int epoch) {
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
