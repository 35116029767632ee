package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Makes tokens, each shown once, and tells who a token is. */
@Service
public class Tokens {

    private static final Duration JOIN_TOKEN_LIFE = Duration.ofHours(24);

    private final TokenRepository tokens;
    private final SecureRandom random;
    private final Clock clock;

    Tokens(TokenRepository tokens, SecureRandom random, Clock clock) {
        this.tokens = tokens;
        this.random = random;
        this.clock = clock;
    }

    /** A token's row, and its text, which is known only now. */
    record Issued(AccessToken token, Secret secret) {}

    @Transactional(readOnly = true)
    Optional<Caller> authenticate(String text) {
        return tokens.findByHash(new Secret(text).hash())
                .filter(token -> token.opens(clock.instant()))
                .map(AccessToken::caller);
    }

    @Transactional
    Issued issueForUser(String name, @Nullable UUID project) {
        Secret secret = Secret.random(TokenKind.USER, random);
        return issue(AccessToken.user(name, project, secret, clock.instant()), secret);
    }

    @Transactional
    Issued issueForJoining(String name) {
        Secret secret = Secret.random(TokenKind.JOIN, random);
        Instant now = clock.instant();
        return issue(AccessToken.join(name, secret, now, now.plus(JOIN_TOKEN_LIFE)), secret);
    }

    /**
     * The worker that joined with this token and this credential before, or none where nobody has
     * joined with the token, which is then held until the transaction ends.
     *
     * @throws Problem {@code unauthenticated} where the token has expired, or is spent on another
     *     credential
     */
    @Transactional
    public Optional<WorkerId> joined(Caller.Newcomer newcomer, Credential credential) {
        AccessToken join =
                tokens.findForUpdate(newcomer.token())
                        .filter(token -> token.opens(clock.instant()))
                        .orElseThrow(() ->
                                Problem.of(
                                        ErrorCode.UNAUTHENTICATED, "The join token has expired"));
        return join.isSpent()
                ? Optional.of(
                        join.requireAdmitted(
                                tokens.findByHash(new Secret(credential.text()).hash())))
                : Optional.empty();
    }

    /** Spends a join token that is held on a worker, which goes by the credential from now on. */
    @Transactional
    public void redeem(
            Caller.Newcomer newcomer, WorkerId worker, String name, Credential credential) {
        tokens.getReferenceById(newcomer.token()).admit(worker, clock.instant());
        tokens.save(
                AccessToken.worker(name, worker, new Secret(credential.text()), clock.instant()));
    }

    /** Makes a worker's credential worthless. */
    @Transactional
    public void revoke(WorkerId worker) {
        tokens.deleteByWorkerId(worker.value());
    }

    @Transactional
    void revoke(UUID id) {
        AccessToken token =
                tokens.findById(id)
                        .filter(it -> it.kind() == TokenKind.USER)
                        .orElseThrow(() -> Problem.notFound("token", id));
        tokens.delete(token);
    }

    @Transactional(readOnly = true)
    List<AccessToken> ofUsers(int limit) {
        return tokens.findByKindOrderByCreatedAtDesc(TokenKind.USER, Limit.of(limit));
    }

    @Transactional(readOnly = true)
    boolean hasAdministrator() {
        return tokens.existsByKindAndProjectIdIsNull(TokenKind.USER);
    }

    private Issued issue(AccessToken token, Secret secret) {
        return new Issued(tokens.save(token), secret);
    }
}
