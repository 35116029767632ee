package dev.equipoise.app.account;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface ProjectRepository extends JpaRepository<Project, UUID> {

    boolean existsByName(String name);

    /** Locks a project so that no row may refer to it; a lock of JPA lets foreign keys do so. */
    @Query(value = "select * from project where id = :id for update", nativeQuery = true)
    Optional<Project> findForUpdate(UUID id);

    @Query(
            """
            select it from Project it
            where (:everywhere = true or it.id in :visible)
              and (it.createdAt < :at or (it.createdAt = :at and it.id < :id))
            order by it.createdAt desc, it.id desc
            """)
    List<Project> findNewest(
            boolean everywhere, Collection<UUID> visible, Instant at, UUID id, Limit limit);
}
