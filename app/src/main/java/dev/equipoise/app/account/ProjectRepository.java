package dev.equipoise.app.account;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface ProjectRepository extends JpaRepository<Project, UUID> {

    boolean existsByName(String name);

    List<Project> findByOrderByCreatedAtDesc(Limit limit);

    List<Project> findByIdInOrderByCreatedAtDesc(Collection<UUID> ids, Limit limit);
}
