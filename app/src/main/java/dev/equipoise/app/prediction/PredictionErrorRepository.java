package dev.equipoise.app.prediction;

import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface PredictionErrorRepository extends JpaRepository<PredictionError, UUID> {

    List<PredictionError> findByOrderByCompletedAtDesc(Limit limit);
}
