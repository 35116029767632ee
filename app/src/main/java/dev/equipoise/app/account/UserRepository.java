package dev.equipoise.app.account;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface UserRepository extends JpaRepository<LabUser, UUID> {

    Optional<LabUser> findByNameIgnoreCase(String name);

    Optional<LabUser> findByIssuerAndSubject(String issuer, String subject);

    boolean existsByNameIgnoreCase(String name);

    boolean existsByAdministratorTrueAndDisabledFalse();

    List<LabUser> findByOrderByNameAsc(Limit limit);
}
