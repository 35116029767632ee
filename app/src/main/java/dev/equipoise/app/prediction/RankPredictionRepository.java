package dev.equipoise.app.prediction;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface RankPredictionRepository extends JpaRepository<RankPrediction, RankPrediction.Key> {

    List<RankPrediction> findByKeyRunIdOrderByKeyRank(UUID run);
}
