package dev.equipoise.app.bundle;

import dev.equipoise.app.configuration.StoredExperiment;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.springframework.data.domain.Persistable;

/** The study that was imported with a bundle; immutable once stored. */
@Entity
class ImportedStudy implements Persistable<UUID> {

    @Id private UUID experimentId;
    private int version;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private UUID projectId;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private String checksum;

    @JdbcTypeCode(SqlTypes.JSON)
    private Study study;

    private Instant importedAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected ImportedStudy() {}

    ImportedStudy(StoredExperiment experiment, String checksum, Study study, Instant now) {
        this.experimentId = experiment.id();
        this.version = experiment.version();
        this.projectId = experiment.project();
        this.checksum = checksum;
        this.study = study;
        this.importedAt = now;
    }

    @Override
    public UUID getId() {
        return experimentId;
    }

    /** Returns true, since studies are only inserted. */
    @Override
    public boolean isNew() {
        return true;
    }

    /** Returns the version of the experiment that was created from the bundle. */
    int version() {
        return version;
    }

    Study study() {
        return study;
    }

    Instant importedAt() {
        return importedAt;
    }
}
