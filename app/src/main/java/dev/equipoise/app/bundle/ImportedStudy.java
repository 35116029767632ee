package dev.equipoise.app.bundle;

import dev.equipoise.app.experiment.StoredExperiment;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.springframework.data.domain.Persistable;

/** What came with the bundle of which an experiment was made; never changes once stored. */
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

    ImportedStudy(StoredExperiment made, String checksum, Study study, Instant now) {
        this.experimentId = made.id();
        this.version = made.version();
        this.projectId = made.project();
        this.checksum = checksum;
        this.study = study;
        this.importedAt = now;
    }

    @Override
    public UUID getId() {
        return experimentId;
    }

    /** Studies are only ever inserted. */
    @Override
    public boolean isNew() {
        return true;
    }

    /** Of the experiment, that was made of the bundle. */
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
