package dev.equipoise.app.bundle;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface StoredImportedRunRepository
        extends JpaRepository<StoredImportedRun, StoredImportedRun.Key> {

    List<StoredImportedRun> findByKeyExperimentIdAndKeyNumberGreaterThanOrderByKeyNumber(
            UUID experiment, int number, Limit limit);
}
