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

    /**
     * Locks the token: agents that use the same join token register one after another, and no
     * session begins while its token is revoked.
     */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from AccessToken it where it.id = :id")
    Optional<AccessToken> findForUpdate(UUID id);

    Optional<AccessToken> findByHash(byte[] hash);

    /**
     * Returns tokens of users and service accounts, newest first.
     *
     * @param user null for those of all users
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

    /** Tells whether a service account token of an administrator exists that has not expired. */
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

    /** Returns the tokens of a kind that the settings named at the last start. */
    List<AccessToken> findByKindAndConfiguredTrue(TokenKind kind);

    /** Returns the join tokens that the service has issued, newest first. */
    @Query(
            """
            select it from AccessToken it
            where it.kind = dev.equipoise.app.account.TokenKind.JOIN and it.configured = false
              and (it.createdAt < :at or (it.createdAt = :at and it.id < :id))
            order by it.createdAt desc, it.id desc
            """)
    List<AccessToken> findNewestJoinTokens(Instant at, UUID id, Limit limit);

    /** Sets whether the worker has left. */
    @Modifying
    @Query("update AccessToken it set it.departed = :departed where it.workerId = :workerId")
    void updateDeparted(UUID workerId, boolean departed);

    /** Records a use; concurrent updates do no harm. Returns 0 if the token no longer exists. */
    @Modifying
    @Query("update AccessToken it set it.usedAt = :now where it.id = :id")
    int noteUse(UUID id, Instant now);

    void deleteByWorkerId(UUID workerId);

    /** Deletes all credentials of a worker but one, and returns how many it deleted. */
    @Modifying
    @Query("delete from AccessToken it where it.workerId = :workerId and it.id <> :kept")
    int deleteOthers(UUID workerId, UUID kept);

    /** Deletes the credentials of a worker that it has never used. */
    @Modifying
    @Query("delete from AccessToken it where it.workerId = :workerId and it.usedAt is null")
    void deleteUnused(UUID workerId);

    @Modifying
    @Query("delete from AccessToken it where it.kind = :kind and it.userId = :userId")
    void deleteByKindAndUserId(TokenKind kind, UUID userId);

    /** Uses up a code. Returns 0 if another request has used it, also at the same time. */
    @Modifying
    @Query(
            """
            delete from AccessToken it
            where it.kind = dev.equipoise.app.account.TokenKind.CODE and it.id = :id
            """)
    int deleteCode(UUID id);

    /** Deletes expired tokens; concurrent calls do no harm. */
    @Modifying
    @Query("delete from AccessToken it where it.kind = :kind and it.expiresAt < :then")
    void deleteByKindAndExpiresAtBefore(TokenKind kind, Instant then);
}
