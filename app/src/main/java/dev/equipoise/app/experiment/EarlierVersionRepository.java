package dev.equipoise.app.experiment;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import tools.jackson.databind.JsonNode;

interface EarlierVersionRepository extends JpaRepository<ExperimentVersion, UUID> {

    Optional<ExperimentVersion> findByExperimentIdAndRevision(UUID experiment, int revision);

    @Query(
            """
            select it.definition from ExperimentVersion it
            where it.experimentId = :experiment and it.revision = :revision
            """)
    Optional<JsonNode> findDefinition(UUID experiment, int revision);
}
