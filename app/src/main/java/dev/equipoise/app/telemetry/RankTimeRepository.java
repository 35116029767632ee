package dev.equipoise.app.telemetry;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface RankTimeRepository extends JpaRepository<RankTime, RankTime.Key> {

    List<RankTime> findByKeyRunIdOrderByKeyGenerationAscKeyRankAsc(UUID run);
}
