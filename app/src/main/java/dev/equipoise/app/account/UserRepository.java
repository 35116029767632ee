package dev.equipoise.app.account;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface UserRepository extends JpaRepository<LabUser, UUID> {

    Optional<LabUser> findByNameIgnoreCase(String name);

    Optional<LabUser> findByIssuerAndSubject(String issuer, String subject);

    /** Records a sign-in without a new version of the user, since no other change depends on it. */
    @Modifying
    @Query("update LabUser it set it.signedInAt = :now where it.id = :id")
    void noteSignIn(UUID id, Instant now);

    boolean existsByNameIgnoreCase(String name);

    boolean existsByAdministratorTrueAndDisabledFalse();

    boolean existsByAdministratorTrueAndDisabledFalseAndPasswordIsNotNull();

    /** Prevents other transactions from changing administrator credentials until this one ends. */
    @Query(
            nativeQuery = true,
            value =
                    "select cast(pg_advisory_xact_lock(hashtextextended('administrators', 0)) as text)")
    String lockAdministrators();

    @Query(
            """
            select it from LabUser it
            where (it.createdAt < :at or (it.createdAt = :at and it.id < :id))
            order by it.createdAt desc, it.id desc
            """)
    List<LabUser> findNewest(Instant at, UUID id, Limit limit);
}
