package dev.equipoise.app.bundle;

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

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private UUID projectId;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private String checksum;

    @JdbcTypeCode(SqlTypes.JSON)
    private Study study;

    private Instant importedAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected ImportedStudy() {}

    ImportedStudy(UUID experiment, UUID project, String checksum, Study study, Instant now) {
        this.experimentId = experiment;
        this.projectId = project;
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

    Study study() {
        return study;
    }

    Instant importedAt() {
        return importedAt;
    }
}
