package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Notes;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A named definition at its latest version; each changed definition is a new version. */
@Entity
class Experiment {

    @Id private UUID id;
    private UUID projectId;
    private String name;
    private int revision;
    private int priority;

    @JdbcTypeCode(SqlTypes.JSON)
    private JsonNode definition;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<RunConfiguration> configurations;

    private Instant createdAt;
    private Instant definedAt;
    @Embedded private @Nullable ExperimentNotes notes;
    private int noteChanges;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Experiment() {}

    Experiment(UUID project, Definition definition, int revision, Instant now) {
        this.id = UUID.randomUUID();
        this.projectId = project;
        this.name = definition.name();
        this.revision = revision;
        this.priority = definition.priority();
        this.definition = definition.source();
        this.configurations = definition.configurations();
        this.createdAt = now;
        this.definedAt = createdAt;
    }

    /** Replaces the definition; the new one applies to runs that are queued from now on. */
    void redefine(Definition other, int next, Instant now) {
        revision = next;
        priority = other.priority();
        definition = other.source();
        configurations = other.configurations();
        definedAt = now;
    }

    /**
     * Replaces the notes.
     *
     * @param written null to delete them
     */
    void note(@Nullable Notes written) {
        notes = written == null ? null : ExperimentNotes.of(written);
        noteChanges++;
    }

    int revision() {
        return revision;
    }

    StoredExperiment snapshot() {
        return new StoredExperiment(
                id,
                projectId,
                name,
                revision,
                priority,
                definition,
                configurations,
                createdAt,
                definedAt,
                notes == null ? null : notes.notes(),
                (long) revision + noteChanges);
    }
}
