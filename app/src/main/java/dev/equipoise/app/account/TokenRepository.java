package dev.equipoise.app.account;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface TokenRepository extends JpaRepository<AccessToken, UUID> {

    /** Of those who join with the same token at once, each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from AccessToken it where it.id = :id")
    Optional<AccessToken> findForUpdate(UUID id);

    Optional<AccessToken> findByHash(byte[] hash);

    /**
     * Of people and scripts.
     *
     * @param user null for everybody's
     */
    @Query(
            """
            select it from AccessToken it
            where it.kind = dev.equipoise.app.account.TokenKind.USER
              and (:user is null or it.userId = :user)
              and (it.createdAt < :at or (it.createdAt = :at and it.id < :id))
            order by it.createdAt desc, it.id desc
            """)
    List<AccessToken> findNewest(@Nullable UUID user, Instant at, UUID id, Limit limit);

    /** A token that stands for itself, opens the whole lab, and has not expired. */
    @Query(
            """
            select count(it) > 0 from AccessToken it
            where it.kind = dev.equipoise.app.account.TokenKind.USER
              and it.userId is null
              and it.projectId is null
              and it.role = dev.equipoise.app.account.Role.ADMINISTRATOR
              and (it.expiresAt is null or it.expiresAt > :now)
            """)
    boolean existsOfAdministrator(Instant now);

    /** Those of a kind that the settings of a service named when it was started. */
    List<AccessToken> findByKindAndConfiguredTrue(TokenKind kind);

    /** Two at once are both right; 0 where it is gone meanwhile. */
    @Modifying
    @Query("update AccessToken it set it.usedAt = :now where it.id = :id")
    int noteUse(UUID id, Instant now);

    void deleteByWorkerId(UUID workerId);

    /** All credentials of a worker but one; how many there were. */
    @Modifying
    @Query("delete from AccessToken it where it.workerId = :workerId and it.id <> :kept")
    int deleteOthers(UUID workerId, UUID kept);

    /** The credentials of a worker by which it never went. */
    @Modifying
    @Query("delete from AccessToken it where it.workerId = :workerId and it.usedAt is null")
    void deleteUnused(UUID workerId);

    @Modifying
    @Query("delete from AccessToken it where it.kind = :kind and it.userId = :userId")
    void deleteByKindAndUserId(TokenKind kind, UUID userId);

    /** Two at once delete the same, and neither minds. */
    @Modifying
    @Query("delete from AccessToken it where it.kind = :kind and it.expiresAt < :then")
    void deleteByKindAndExpiresAtBefore(TokenKind kind, Instant then);
}
