package dev.equipoise.app.measurement;

import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.Topology.Algorithm;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.util.UUID;
import org.springframework.data.domain.Persistable;

/** The measured time of an all-reduce over the first ranks of a link measurement. */
@Entity
@Table(name = "all_reduce")
class AllReduceTime implements Persistable<AllReduceTime.Key> {

    @EmbeddedId private Key key;
    private double seconds;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected AllReduceTime() {}

    AllReduceTime(UUID measurement, MeasuredAllReduce measured) {
        this.key = new Key(measurement, measured.algorithm(), measured.ranks(), measured.numbers());
        this.seconds = measured.seconds();
    }

    /** The measurement and the parameters of an all-reduce. */
    @Embeddable
    record Key(
            UUID measurementId,
            @Enumerated(EnumType.STRING) Algorithm algorithm,
            int ranks,
            int numbers) {}

    @Override
    public Key getId() {
        return key;
    }

    /** Rows are written once, so that a save needs no select. */
    @Override
    public boolean isNew() {
        return true;
    }

    MeasuredAllReduce measured() {
        return new MeasuredAllReduce(key.algorithm(), key.ranks(), key.numbers(), seconds);
    }
}
