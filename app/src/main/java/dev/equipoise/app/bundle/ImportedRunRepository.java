package dev.equipoise.app.bundle;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface ImportedRunRepository extends JpaRepository<ImportedRun, ImportedRun.Key> {

    List<ImportedRun> findByKeyExperimentIdAndKeyNumberGreaterThanOrderByKeyNumber(
            UUID experiment, int number, Limit limit);
}
