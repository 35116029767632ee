package dev.equipoise.app.experiment;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface EarlierVersionRepository extends JpaRepository<ExperimentVersion, UUID> {

    Optional<ExperimentVersion> findByExperimentIdAndRevision(UUID experiment, int revision);
}
