package dev.equipoise.app.bundle;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface ImportedStudyRepository extends JpaRepository<ImportedStudy, UUID> {

    Optional<ImportedStudy> findByProjectIdAndChecksum(UUID project, String checksum);
}
