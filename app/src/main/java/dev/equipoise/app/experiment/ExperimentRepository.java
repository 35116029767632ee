package dev.equipoise.app.experiment;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import tools.jackson.databind.JsonNode;

interface ExperimentRepository extends JpaRepository<Experiment, UUID> {

    Optional<Experiment> findFirstByProjectIdAndNameOrderByRevisionDesc(UUID project, String name);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from Experiment it where it.id = :id")
    Optional<Experiment> findForUpdate(UUID id);

    @Query("select it.definition from Experiment it where it.id = :id and it.revision = :revision")
    Optional<JsonNode> findDefinition(UUID id, int revision);

    long countByProjectId(UUID projectId);

    /** Deletes the experiments of a project; the database deletes their versions with them. */
    @Modifying
    @Query("delete from Experiment it where it.projectId = :project")
    void deleteAllOf(UUID project);

    /** Counts the configurations in the database, since together they may be large. */
    @Query(
            """
            select it.id, it.projectId, it.name, it.revision,
                   cast(function('jsonb_array_length', it.configurations) as Integer),
                   it.createdAt
            from Experiment it
            where it.projectId = :project
              and (it.createdAt < :at or (it.createdAt = :at and it.id < :id))
            order by it.createdAt desc, it.id desc
            """)
    List<ExperimentSummary> findNewest(UUID project, Instant at, UUID id, Limit limit);
}
