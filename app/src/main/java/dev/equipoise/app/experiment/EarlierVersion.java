package dev.equipoise.app.experiment;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import tools.jackson.databind.JsonNode;

/** What an experiment was before it got another definition; never changes. */
@Entity
class EarlierVersion {

    @Id private UUID id;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private UUID experimentId;

    private int revision;
    private int priority;

    @JdbcTypeCode(SqlTypes.JSON)
    private JsonNode definition;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<RunConfiguration> configurations;

    private Instant definedAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected EarlierVersion() {}

    EarlierVersion(StoredExperiment then) {
        this.id = UUID.randomUUID();
        this.experimentId = then.id();
        this.revision = then.version();
        this.priority = then.priority();
        this.definition = then.definition();
        this.configurations = then.configurations();
        this.definedAt = then.definedAt();
    }

    /** The experiment as it was. */
    StoredExperiment of(StoredExperiment now) {
        return new StoredExperiment(
                now.id(),
                now.project(),
                now.name(),
                revision,
                priority,
                definition,
                configurations,
                now.createdAt(),
                definedAt);
    }
}
