package dev.equipoise.app.account;

import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface TokenRepository extends JpaRepository<AccessToken, UUID> {

    /** Of those who join with the same token at once, each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from AccessToken it where it.id = :id")
    Optional<AccessToken> findForUpdate(UUID id);

    Optional<AccessToken> findByHash(byte[] hash);

    List<AccessToken> findByKindOrderByCreatedAtDesc(TokenKind kind, Limit limit);

    boolean existsByKindAndProjectIdIsNull(TokenKind kind);

    void deleteByWorkerId(UUID workerId);
}
