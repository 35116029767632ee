package dev.equipoise.app.profile;

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

/** What a sum over the first ranks of a measurement of links took. */
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

    /** Of which measurement, and of what. */
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

    /** Written once, and never looked for before. */
    @Override
    public boolean isNew() {
        return true;
    }

    MeasuredAllReduce measured() {
        return new MeasuredAllReduce(key.algorithm(), key.ranks(), key.numbers(), seconds);
    }
}
