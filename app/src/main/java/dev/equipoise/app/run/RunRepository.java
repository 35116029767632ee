package dev.equipoise.app.run;

import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface RunRepository extends JpaRepository<Run, UUID> {

    /** The reports of a run's ranks come at once; each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select run from Run run where run.id = :id")
    Optional<Run> findForUpdate(UUID id);

    List<Run> findByStateOrderByQueuedAtAscPositionAsc(RunState state, Limit limit);

    @Query(
            """
            select run from Run run
            where (:project is null or run.projectId = :project)
              and (:experiment is null or run.experimentId = :experiment)
              and run.state in :states
            order by run.queuedAt desc, run.position asc
            """)
    List<Run> search(
            @Nullable UUID project,
            @Nullable UUID experiment,
            Collection<RunState> states,
            Limit limit);
}
