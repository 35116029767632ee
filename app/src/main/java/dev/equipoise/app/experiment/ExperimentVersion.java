package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import tools.jackson.databind.JsonNode;

/** An earlier version of an experiment; immutable. */
@Entity
@Table(name = "earlier_version")
class ExperimentVersion {

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
    protected ExperimentVersion() {}

    ExperimentVersion(StoredExperiment before) {
        this.id = UUID.randomUUID();
        this.experimentId = before.id();
        this.revision = before.version();
        this.priority = before.priority();
        this.definition = before.definition();
        this.configurations = before.configurations();
        this.definedAt = before.definedAt();
    }

    /** Returns the experiment at this version; notes belong to all versions. */
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
                definedAt,
                now.notes(),
                now.revision() - now.version() + revision);
    }
}
