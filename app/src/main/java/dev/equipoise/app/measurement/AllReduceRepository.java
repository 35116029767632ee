package dev.equipoise.app.measurement;

import dev.equipoise.protocol.Topology.Algorithm;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface AllReduceRepository extends JpaRepository<AllReduceTime, AllReduceTime.Key> {

    List<AllReduceTime> findByKeyMeasurementIdAndKeyAlgorithmOrderByKeyRanksAscKeyNumbersAsc(
            UUID measurement, Algorithm algorithm);

    boolean existsByKeyMeasurementId(UUID measurement);
}
