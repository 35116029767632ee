package dev.equipoise.app.account;

import dev.equipoise.app.page.NewestFirstKey;
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

/** Issues tokens, whose text is shown once, and authenticates callers by them. */
@Service
public class Tokens {

    private static final Logger log = LoggerFactory.getLogger(Tokens.class);

    /** Limits how fast an agent can fill the audit log. */
    private static final Duration MIN_CREDENTIAL_LIFE = Duration.ofMinutes(1);

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

    /** A new token with its text, which is known only now. */
    record Issued(AccessToken token, Secret secret) {}

    @Transactional
    Optional<Caller> authenticate(String text) {
        Instant now = clock.instant();
        Optional<AccessToken> token =
                tokens.findByHash(new Secret(text).hash()).filter(it -> it.opens(now));
        token.filter(it -> it.isUseNews(now)).ifPresent(it -> noteUse(it, now));
        return token.flatMap(this::caller);
    }

    /**
     * Returns the user or the service account of an API token that begins a session, and records
     * this use.
     *
     * @return empty if the token does not authenticate the requests of people and scripts: it is of
     *     another kind or has expired, or its user is disabled
     */
    @Transactional
    Optional<Caller> accept(AccessToken token) {
        Instant now = clock.instant();
        Optional<Caller> caller =
                Optional.of(token)
                        .filter(it -> it.kind() == TokenKind.USER && it.opens(now))
                        .flatMap(this::user);
        if (caller.isPresent() && token.isUseNews(now)) {
            noteUse(token, now);
        }
        return caller;
    }

    /**
     * Records a use. The use of a session also counts for the API token that began it. The first
     * use of a worker's new credential deletes its other credentials.
     */
    private void noteUse(AccessToken token, Instant now) {
        if (!token.origin().equals(token.id())) {
            var _ = tokens.noteUse(token.origin(), now);
        }
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
            case CODE -> Optional.empty();
            case JOIN -> Optional.of(new Caller.Newcomer(token.id()));
            case WORKER ->
                    Optional.of(
                            token.isDeparted()
                                    ? new Caller.DepartedAgent(token.worker())
                                    : agent(token));
        };
    }

    private Optional<Caller> user(AccessToken token) {
        UUID account = token.userId();
        return account == null
                ? Optional.of(new Caller.User(token.name(), null, token.origin(), token.own()))
                : users.entry(account)
                        .map(user ->
                                new Caller.User(
                                        user.name(),
                                        account,
                                        token.origin(),
                                        token.narrow(user.access())));
    }

    /**
     * Creates a token with at most the rights of its creator.
     *
     * @throws Problem {@code not-found} if the creator may not see the project, {@code forbidden}
     *     if the creator of a service account token is not an administrator, or if the creator's
     *     own token is restricted
     */
    @Transactional
    Issued issue(Caller.User caller, String name, TokenScope scope) {
        requireCreator(caller, scope);
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

    private void requireCreator(Caller.User caller, TokenScope scope) {
        if (scope.project() != null) {
            projects.require(caller, scope.project());
        }
        if (scope.user() == null && !caller.isAdministrator()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Only an administrator can create a service account token");
        }
        requireUnrestricted(caller);
    }

    /**
     * Rejects callers with a restricted token, which would otherwise have more rights than it
     * states, and callers whose token was revoked since the request was authenticated: it may have
     * been restricted.
     */
    private void requireUnrestricted(Caller.User caller) {
        AccessToken own =
                tokens.findById(caller.credential())
                        .orElseThrow(() ->
                                Problem.of(
                                        ErrorCode.UNAUTHENTICATED,
                                        "The token of the request was revoked, or its session has"
                                                + " ended"));
        if (own.isRestricted()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A token that is limited by role, project or time cannot create or revoke other"
                            + " tokens: use a session or an unlimited token");
        }
    }

    /** Creates the first administrator's token of a lab, without a caller. */
    @Transactional
    Issued issueFirst() {
        return make("first administrator", new TokenScope(null, null, Role.ADMINISTRATOR, null));
    }

    /**
     * Stores the token of a kind that the settings name, and revokes the one that they named
     * before.
     *
     * @param secret null if the settings name none
     * @throws IllegalStateException if the service has issued this token for another purpose
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
                            existing -> requireConfigured(kind, existing),
                            () -> store(kind, secret));
        }
    }

    private static void requireConfigured(TokenKind kind, AccessToken existing) {
        if (!existing.isConfigured()) {
            throw new IllegalStateException(
                    "the token %s... in the settings is the token %s that the service has issued for another purpose: choose another one"
                            .formatted(kind.prefix(), existing.id()));
        }
    }

    private void store(TokenKind kind, Secret secret) {
        AccessToken token = tokens.save(AccessToken.configured(kind, secret, clock.instant()));
        log.info("configured token stored: {} {}", kind, token.id());
    }

    /**
     * Creates a join token.
     *
     * @param uses number of workers that it may admit
     */
    @Transactional
    Issued issueForJoining(Caller.User caller, String name, int uses, Instant expiresAt) {
        Secret secret = Secret.random(TokenKind.JOIN, random);
        Issued issued =
                save(AccessToken.join(name, uses, secret, clock.instant(), expiresAt), secret);
        audit.note(
                caller,
                Change.of("join-token-created", "token", issued.token().id())
                        .with("name", name)
                        .with("uses", uses)
                        .with("expiresAt", expiresAt));
        return issued;
    }

    /** Returns the join tokens that the service has issued, newest first. */
    @Transactional(readOnly = true)
    List<AccessToken> joinTokens(NewestFirstKey after, int limit) {
        return tokens.findNewestJoinTokens(after.at(), after.id(), Limit.of(limit));
    }

    /**
     * Returns a join token.
     *
     * @throws Problem {@code not-found} if there is none, or the settings of the service name it
     */
    @Transactional(readOnly = true)
    AccessToken joinToken(UUID id) {
        return tokens.findById(id)
                .filter(AccessToken::isIssuedForJoining)
                .orElseThrow(() -> Problem.notFound("join token", id));
    }

    /**
     * Revokes a join token; the workers that it has admitted stay.
     *
     * @throws Problem {@code not-found} if there is none, or the settings of the service name it
     */
    @Transactional
    void revokeJoinToken(Caller.User caller, UUID id) {
        AccessToken token =
                tokens.findForUpdate(id)
                        .filter(AccessToken::isIssuedForJoining)
                        .orElseThrow(() -> Problem.notFound("join token", id));
        tokens.delete(token);
        audit.note(
                caller,
                Change.of("join-token-revoked", "token", id)
                        .with("name", token.name())
                        .with("admitted", token.admitted()));
    }

    /**
     * Returns the worker that registered with this credential before; empty if none did. The join
     * token then stays locked until the transaction ends.
     *
     * @throws Problem {@code unauthenticated} if the token was revoked or has expired since the
     *     request was authenticated
     */
    @Transactional
    public Optional<WorkerId> joined(Caller.Newcomer newcomer, Credential credential) {
        AccessToken token =
                tokens.findForUpdate(newcomer.token())
                        .orElseThrow(() -> unusable("The join token was revoked"));
        if (!token.opens(clock.instant())) {
            throw unusable("The join token has expired");
        }
        return tokens.findByHash(new Secret(credential.text()).hash())
                .filter(it -> it.kind() == TokenKind.WORKER)
                .map(AccessToken::worker);
    }

    private static Problem unusable(String reason) {
        return Problem.of(ErrorCode.UNAUTHENTICATED, reason + ": create another one");
    }

    /**
     * Counts the use of a locked join token by a new worker, which has the credential from now on.
     *
     * @throws Problem {@code unauthenticated} if the token admits no further worker
     */
    @Transactional
    public void redeem(
            Caller.Newcomer newcomer, WorkerId worker, String name, Credential credential) {
        tokens.getReferenceById(newcomer.token()).admit(clock.instant());
        tokens.save(
                AccessToken.worker(name, worker, new Secret(credential.text()), clock.instant()));
        audit.note(newcomer, Change.of("worker-joined", "worker", worker).with("name", name));
    }

    /**
     * Stores a new credential of a worker; the request may be repeated. The current credential
     * stays valid until the first use of the new one, so that a lost response does no harm. Of
     * several unused ones only the last is valid.
     *
     * @throws Problem {@code illegal-state} if the current credential is younger than a minute, or
     *     if the new one belongs to another token
     */
    @Transactional
    public void renew(Caller.Agent agent, String name, Credential credential) {
        Secret secret = new Secret(credential.text());
        Optional<AccessToken> existing = tokens.findByHash(secret.hash());
        if (existing.isPresent()) {
            requireOwn(agent, existing.get());
            return;
        }
        requireOld(agent);
        tokens.deleteUnused(agent.worker().value());
        tokens.save(AccessToken.worker(name, agent.worker(), secret, clock.instant()));
    }

    /**
     * Restricts the credentials of a worker that has left: they only serve to return.
     *
     * @see #resume
     */
    @Transactional
    public void suspend(WorkerId worker) {
        tokens.updateDeparted(worker.value(), true);
    }

    /**
     * Lifts the restriction of a worker that returns.
     *
     * @throws Problem {@code illegal-state} if the credential is not one of the worker
     */
    @Transactional
    public void resume(WorkerId worker, Credential credential) {
        var _ =
                tokens.findByHash(new Secret(credential.text()).hash())
                        .filter(it -> it.isOf(worker))
                        .orElseThrow(() ->
                                Problem.of(
                                        ErrorCode.ILLEGAL_STATE,
                                        "The credential of the registration is not that of worker %s, which sends it"
                                                .formatted(worker)));
        tokens.updateDeparted(worker.value(), false);
    }

    private static void requireOwn(Caller.Agent agent, AccessToken existing) {
        if (!existing.isOf(agent.worker())) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The credential is already in use: choose another one");
        }
    }

    private void requireOld(Caller.Agent agent) {
        Instant earliest = agent.credentialSince().plus(MIN_CREDENTIAL_LIFE);
        if (clock.instant().isBefore(earliest)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "A credential must be at least %d s old to be renewed, but this one is from %s"
                            .formatted(MIN_CREDENTIAL_LIFE.toSeconds(), agent.credentialSince()));
        }
    }

    /** Revokes all credentials of a worker. */
    @Transactional
    public void revoke(WorkerId worker) {
        tokens.deleteByWorkerId(worker.value());
    }

    /**
     * Revokes a token of the caller; an administrator may revoke any token.
     *
     * @throws Problem {@code not-found} if it belongs to another user, {@code forbidden} if the
     *     caller's own token is restricted, {@code illegal-state} if it is the last administrator
     *     credential of the lab
     */
    @Transactional
    void revoke(Caller.User caller, UUID id) {
        AccessToken token = administrators.keepOne(() -> delete(caller, id));
        audit.note(
                caller,
                Change.of("token-revoked", "token", id)
                        .in(token.projectId())
                        .with("name", token.name()));
    }

    private AccessToken delete(Caller.User caller, UUID id) {
        AccessToken token =
                tokens.findById(id)
                        .filter(it -> it.kind() == TokenKind.USER)
                        .filter(it -> caller.isAdministrator() || isOwn(caller, it))
                        .orElseThrow(() -> Problem.notFound("token", id));
        if (!token.id().equals(caller.credential())) {
            requireUnrestricted(caller);
        }
        tokens.delete(token);
        return token;
    }

    private static boolean isOwn(Caller.User caller, AccessToken token) {
        return token.id().equals(caller.credential())
                || (caller.account() != null && caller.account().equals(token.userId()));
    }

    /** Returns the caller's own tokens; all tokens for an administrator. */
    @Transactional(readOnly = true)
    List<AccessToken> visibleTo(Caller.User caller, NewestFirstKey after, int limit) {
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
