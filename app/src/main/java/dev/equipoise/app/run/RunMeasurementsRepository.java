package dev.equipoise.app.run;

import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface RunMeasurementsRepository extends JpaRepository<RunMeasurements, UUID> {}
