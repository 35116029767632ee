package dev.equipoise.app.experiment;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface EarlierVersionRepository extends JpaRepository<EarlierVersion, UUID> {

    Optional<EarlierVersion> findByExperimentIdAndRevision(UUID experiment, int revision);
}
