package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.AgentEvent.Strand;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** Some decisions of one thread's epoch, as a rank told them; never changes once stored. */
@Entity
class OrderPart {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private UUID runId;

    private int rank;

    @Enumerated(EnumType.STRING)
    private Strand strand;

    private int epoch;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Integer> choices;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected OrderPart() {}

    OrderPart(UUID run, Decided decided) {
        this.runId = run;
        this.rank = decided.rank();
        this.strand = decided.strand();
        this.epoch = decided.epoch();
        this.choices = decided.choices();
    }

    long id() {
        return Objects.requireNonNull(id);
    }

    Decided decided() {
        return new Decided(rank, epoch, strand, choices);
    }
}
