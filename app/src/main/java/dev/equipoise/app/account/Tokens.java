package dev.equipoise.app.account;

import dev.equipoise.app.page.Newest;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Makes tokens, each shown once, and tells who a token is. */
@Service
public class Tokens {

    private static final Logger log = LoggerFactory.getLogger(Tokens.class);
    private static final Duration JOIN_TOKEN_LIFE = Duration.ofHours(24);

    /** So that no agent fills the audit. */
    private static final Duration CREDENTIAL_LEAST_LIFE = Duration.ofMinutes(1);

    private final TokenRepository tokens;
    private final Users users;
    private final Administrators administrators;
    private final Projects projects;
    private final Audit audit;
    private final SecureRandom random;
    private final Clock clock;

    Tokens(
            TokenRepository tokens,
            Users users,
            Administrators administrators,
            Projects projects,
            Audit audit,
            SecureRandom random,
            Clock clock) {
        this.tokens = tokens;
        this.users = users;
        this.administrators = administrators;
        this.projects = projects;
        this.audit = audit;
        this.random = random;
        this.clock = clock;
    }

    /** A token's row, and its text, which is known only now. */
    record Issued(AccessToken token, Secret secret) {}

    @Transactional
    Optional<Caller> authenticate(String text) {
        Instant now = clock.instant();
        Optional<AccessToken> token =
                tokens.findByHash(new Secret(text).hash()).filter(it -> it.opens(now));
        token.filter(it -> it.isUseNews(now)).ifPresent(it -> noteUse(it, now));
        return token.flatMap(this::caller);
    }

    /** Who goes by a new credential has no other any more. */
    private void noteUse(AccessToken token, Instant now) {
        if (tokens.noteUse(token.id(), now) > 0
                && token.kind() == TokenKind.WORKER
                && tokens.deleteOthers(token.worker().value(), token.id()) > 0) {
            audit.note(agent(token), Change.of("credential-renewed", "worker", token.worker()));
        }
    }

    private static Caller.Agent agent(AccessToken token) {
        return new Caller.Agent(token.worker(), token.createdAt());
    }

    private Optional<Caller> caller(AccessToken token) {
        return switch (token.kind()) {
            case USER, SESSION -> user(token);
            case JOIN -> Optional.of(new Caller.Newcomer(token.id()));
            case WORKER -> Optional.of(agent(token));
        };
    }

    private Optional<Caller> user(AccessToken token) {
        UUID account = token.userId();
        return account == null
                ? Optional.of(new Caller.User(token.name(), null, token.id(), token.own()))
                : users.entry(account)
                        .map(user ->
                                new Caller.User(
                                        user.name(),
                                        account,
                                        token.id(),
                                        token.narrow(user.access())));
    }

    /**
     * Makes a token that opens no more than its maker may.
     *
     * @throws Problem {@code not-found} where the maker may not see the project, {@code forbidden}
     *     where the token stands for itself and its maker is no administrator, or where its maker
     *     goes by a token that is bounded
     */
    @Transactional
    Issued issue(Caller.User caller, String name, TokenScope scope) {
        if (scope.project() != null) {
            projects.require(caller, scope.project());
        }
        if (scope.user() == null && !caller.isAdministrator()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A token that stands for itself is made by an administrator");
        }
        requireUnbounded(caller);
        Issued issued = make(name, scope);
        audit.note(
                caller,
                Change.of("token-created", "token", issued.token().id())
                        .in(scope.project())
                        .with("name", name)
                        .with("role", scope.role().toString())
                        .with("expiresAt", scope.expiresAt()));
        return issued;
    }

    /** Or a token would be worth more than it says. */
    private void requireUnbounded(Caller.User caller) {
        boolean isBounded =
                tokens.findById(caller.credential()).filter(AccessToken::isBounded).isPresent();
        if (isBounded) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A token that is bounded by a role, a project or a time makes and revokes no"
                            + " other: use a session, or a token without bounds");
        }
    }

    /** The first token of a lab, which nobody asks for. */
    @Transactional
    Issued issueFirst() {
        return make("first administrator", new TokenScope(null, null, Role.ADMINISTRATOR, null));
    }

    /**
     * Takes the token of a kind that the settings name, and revokes the one that they named before.
     *
     * @param secret null where they name none
     * @throws IllegalStateException where the service has issued it, for something else
     */
    @Transactional
    void configure(TokenKind kind, @Nullable Secret secret) {
        administrators.lock();
        for (AccessToken token : tokens.findByKindAndConfiguredTrue(kind)) {
            if (secret == null || !token.isOf(secret)) {
                tokens.delete(token);
                log.info("configured token revoked: {} {}", kind, token.id());
            }
        }
        if (secret != null) {
            tokens.findByHash(secret.hash())
                    .ifPresentOrElse(
                            known -> requireConfigured(kind, known), () -> take(kind, secret));
        }
    }

    private static void requireConfigured(TokenKind kind, AccessToken known) {
        if (!known.isConfigured()) {
            throw new IllegalStateException(
                    "the token %s... that the settings name is %s, which the service has issued, and opens what it was issued for: choose another"
                            .formatted(kind.prefix(), known.id()));
        }
    }

    private void take(TokenKind kind, Secret secret) {
        AccessToken token = tokens.save(AccessToken.configured(kind, secret, clock.instant()));
        log.info("configured token taken: {} {}", kind, token.id());
    }

    @Transactional
    Issued issueForJoining(Caller.User caller, String name) {
        Secret secret = Secret.random(TokenKind.JOIN, random);
        Instant now = clock.instant();
        Issued issued =
                save(AccessToken.join(name, secret, now, now.plus(JOIN_TOKEN_LIFE)), secret);
        audit.note(
                caller,
                Change.of("join-token-created", "token", issued.token().id()).with("name", name));
        return issued;
    }

    /** Begins a browser's session, and forgets those that are long over. */
    @Transactional
    Issued issueSession(LabUser user, Duration life) {
        Instant now = clock.instant();
        tokens.deleteByKindAndExpiresAtBefore(TokenKind.SESSION, now);
        Secret secret = Secret.random(TokenKind.SESSION, random);
        Issued issued = save(AccessToken.session(user, secret, now, now.plus(life)), secret);
        audit.noteArrival(
                user.name(),
                user.id(),
                Change.of("signed-in", "user", user.id()).with("session", issued.token().id()));
        return issued;
    }

    /** The session that a caller goes by, or none where it goes by a token. */
    @Transactional(readOnly = true)
    Optional<AccessToken> session(Caller.User caller) {
        return tokens.findById(caller.credential()).filter(it -> it.kind() == TokenKind.SESSION);
    }

    /** Ends the session that a caller has; a token stays as it is. */
    @Transactional
    void endSession(Caller.User caller) {
        session(caller)
                .ifPresent(session -> {
                    tokens.delete(session);
                    audit.note(
                            caller,
                            Change.of("signed-out", "user", String.valueOf(caller.account())));
                });
    }

    /**
     * The worker that joined with this token and this credential before, or none where nobody has
     * joined with the token, or all may; it is then held until the transaction ends.
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
        Optional<AccessToken> known = tokens.findByHash(new Secret(credential.text()).hash());
        if (join.isConfigured()) {
            return known.filter(it -> it.kind() == TokenKind.WORKER).map(AccessToken::worker);
        }
        return join.isSpent() ? Optional.of(join.requireAdmitted(known)) : Optional.empty();
    }

    /** Spends a join token that is held on a worker, which goes by the credential from now on. */
    @Transactional
    public void redeem(
            Caller.Newcomer newcomer, WorkerId worker, String name, Credential credential) {
        tokens.getReferenceById(newcomer.token()).admit(worker, clock.instant());
        tokens.save(
                AccessToken.worker(name, worker, new Secret(credential.text()), clock.instant()));
        audit.note(newcomer, Change.of("worker-joined", "worker", worker).with("name", name));
    }

    /**
     * Takes another credential of a worker, which may be said again. The present one is worth as
     * much until the other is used for the first time, so that an answer that is lost does no harm;
     * of several that were never used the last one counts.
     *
     * @throws Problem {@code illegal-state} where the present one is younger than a minute, or the
     *     other is known here already
     */
    @Transactional
    public void renew(Caller.Agent agent, String name, Credential other) {
        Secret secret = new Secret(other.text());
        Optional<AccessToken> known = tokens.findByHash(secret.hash());
        if (known.isPresent()) {
            requireOwn(agent, known.get());
            return;
        }
        requireOld(agent);
        tokens.deleteUnused(agent.worker().value());
        tokens.save(AccessToken.worker(name, agent.worker(), secret, clock.instant()));
    }

    private static void requireOwn(Caller.Agent agent, AccessToken known) {
        if (!known.isOf(agent.worker())) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE, "The credential must be one that nobody else has");
        }
    }

    private void requireOld(Caller.Agent agent) {
        Instant earliest = agent.credentialSince().plus(CREDENTIAL_LEAST_LIFE);
        if (clock.instant().isBefore(earliest)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "A credential is renewed after %d s at the earliest, but this one is of %s"
                            .formatted(CREDENTIAL_LEAST_LIFE.toSeconds(), agent.credentialSince()));
        }
    }

    /** Makes a worker's credentials worthless. */
    @Transactional
    public void revoke(WorkerId worker) {
        tokens.deleteByWorkerId(worker.value());
    }

    /**
     * Revokes a token of the caller's own; an administrator revokes anybody's.
     *
     * @throws Problem {@code not-found} where it is another's, {@code forbidden} where the caller
     *     goes by a token that is bounded, {@code illegal-state} where it is the last way in to the
     *     lab as an administrator
     */
    @Transactional
    void revoke(Caller.User caller, UUID id) {
        AccessToken token = administrators.keepOne(() -> revoked(caller, id));
        audit.note(
                caller,
                Change.of("token-revoked", "token", id)
                        .in(token.projectId())
                        .with("name", token.name()));
    }

    private AccessToken revoked(Caller.User caller, UUID id) {
        AccessToken token =
                tokens.findById(id)
                        .filter(it -> it.kind() == TokenKind.USER)
                        .filter(it -> caller.isAdministrator() || isOwn(caller, it))
                        .orElseThrow(() -> Problem.notFound("token", id));
        if (!token.id().equals(caller.credential())) {
            requireUnbounded(caller);
        }
        tokens.delete(token);
        return token;
    }

    private static boolean isOwn(Caller.User caller, AccessToken token) {
        return token.id().equals(caller.credential())
                || (caller.account() != null && caller.account().equals(token.userId()));
    }

    /** The caller's own tokens; an administrator's are all. */
    @Transactional(readOnly = true)
    List<AccessToken> visibleTo(Caller.User caller, Newest after, int limit) {
        if (!caller.isAdministrator() && caller.account() == null) {
            return tokens.findById(caller.credential()).stream().toList();
        }
        return tokens.findNewest(
                caller.isAdministrator() ? null : caller.account(),
                after.at(),
                after.id(),
                Limit.of(limit));
    }

    @Transactional(readOnly = true)
    boolean hasAdministrator() {
        return tokens.existsOfAdministrator(clock.instant()) || users.hasAdministrator();
    }

    private Issued make(String name, TokenScope scope) {
        Secret secret = Secret.random(TokenKind.USER, random);
        return save(AccessToken.user(name, scope, secret, clock.instant()), secret);
    }

    private Issued save(AccessToken token, Secret secret) {
        return new Issued(tokens.save(token), secret);
    }
}
