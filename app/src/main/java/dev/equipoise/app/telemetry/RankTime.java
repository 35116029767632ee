package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** Time of one rank in one generation, as it reported last. */
@Entity
class RankTime {

    @EmbeddedId private Key key;
    private double elapsedSeconds;

    @JdbcTypeCode(SqlTypes.JSON)
    private RunPhases phases;

    @Embeddable
    record Key(UUID runId, int generation, int rank) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected RankTime() {}

    RankTime(UUID run, int generation, PhasesElapsed elapsed) {
        this.key = new Key(run, generation, elapsed.rank());
        this.elapsedSeconds = elapsed.elapsedSeconds();
        this.phases = elapsed.phases();
    }

    RunTimes.OfRank read() {
        return new RunTimes.OfRank(key.generation(), key.rank(), elapsedSeconds, phases);
    }
}
