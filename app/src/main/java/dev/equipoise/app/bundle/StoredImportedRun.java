package dev.equipoise.app.bundle;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.springframework.data.domain.Persistable;

/** A run of another lab that was imported with a bundle; immutable once stored. */
@Entity
@Table(name = "imported_run")
class StoredImportedRun implements Persistable<StoredImportedRun.Key> {

    @EmbeddedId private Key key;

    @JdbcTypeCode(SqlTypes.JSON)
    private Study.ImportedRun run;

    /**
     * Identifies an imported run of an experiment.
     *
     * @param number position in the bundle, from 1
     */
    @Embeddable
    record Key(UUID experimentId, int number) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected StoredImportedRun() {}

    StoredImportedRun(UUID experiment, int number, Study.ImportedRun run) {
        this.key = new Key(experiment, number);
        this.run = run;
    }

    @Override
    public Key getId() {
        return key;
    }

    /** Returns true, since runs are only inserted. */
    @Override
    public boolean isNew() {
        return true;
    }

    int number() {
        return key.number();
    }

    Study.ImportedRun run() {
        return run;
    }
}
