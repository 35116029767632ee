package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface EpochResultRepository extends JpaRepository<EpochResult, EpochResult.Key> {

    List<EpochResult> findByKeyRunIdIn(Collection<UUID> runs);

    long countByKeyRunIdAndKeyRank(UUID run, int rank);
}
