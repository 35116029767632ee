package dev.equipoise.app.experiment;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface ExperimentRepository extends JpaRepository<Experiment, UUID> {

    Optional<Experiment> findFirstByProjectIdAndNameOrderByRevisionDesc(UUID project, String name);

    List<Experiment> findByProjectIdOrderByCreatedAtDesc(UUID project, Limit limit);
}
