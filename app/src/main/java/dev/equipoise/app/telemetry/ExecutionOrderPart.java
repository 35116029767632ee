package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.Decided;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** Part of the execution order that one thread recorded in one epoch. */
@Entity
@Table(name = "order_part")
class ExecutionOrderPart extends ThreadRecordPart {

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Integer> choices;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected ExecutionOrderPart() {}

    ExecutionOrderPart(UUID run, Decided decided) {
        super(run, decided.rank(), decided.strand(), decided.epoch());
        this.choices = decided.choices();
    }

    Decided decided() {
        return new Decided(rank(), epoch(), strand(), choices);
    }
}
