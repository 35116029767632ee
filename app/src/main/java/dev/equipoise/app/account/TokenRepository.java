package dev.equipoise.app.account;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface TokenRepository extends JpaRepository<AccessToken, UUID> {

    Optional<AccessToken> findByHash(byte[] hash);

    List<AccessToken> findByKindOrderByCreatedAtDesc(TokenKind kind, Limit limit);

    boolean existsByKindAndProjectIdIsNull(TokenKind kind);

    void deleteByWorkerId(UUID workerId);
}
