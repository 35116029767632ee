package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Decided;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** Some decisions of one thread's epoch. */
@Entity
class OrderPart extends StrandPart {

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Integer> choices;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected OrderPart() {}

    OrderPart(UUID run, Decided decided) {
        super(run, decided.rank(), decided.strand(), decided.epoch());
        this.choices = decided.choices();
    }

    Decided decided() {
        return new Decided(rank(), epoch(), strand(), choices);
    }
}
