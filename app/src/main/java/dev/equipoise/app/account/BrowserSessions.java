package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Begins and ends browser sessions, and makes the codes of sign-in links. */
@Service
class BrowserSessions {

    private static final Duration CODE_LIFE = Duration.ofHours(1);

    private final TokenRepository tokens;
    private final Tokens callers;
    private final Audit audit;
    private final SecureRandom random;
    private final Clock clock;
    private final SessionSettings settings;

    BrowserSessions(
            TokenRepository tokens,
            Tokens callers,
            Audit audit,
            SecureRandom random,
            Clock clock,
            SessionSettings settings) {
        this.tokens = tokens;
        this.callers = callers;
        this.audit = audit;
        this.random = random;
        this.clock = clock;
        this.settings = settings;
    }

    /** Begins the session of a user, and deletes expired ones. */
    @Transactional
    Tokens.Issued begin(LabUser user) {
        Instant now = clock.instant();
        Secret secret = Secret.random(TokenKind.SESSION, random);
        return begun(
                AccessToken.session(user, secret, now, now.plus(settings.life())), secret, now);
    }

    /**
     * Begins a session with the rights of an API token, which ends with it.
     *
     * @return empty if no API token that authenticates requests has this text
     */
    @Transactional
    Optional<Tokens.Issued> beginByToken(String text) {
        return tokens.findByHash(new Secret(text).hash())
                .flatMap(it -> tokens.findForUpdate(it.id()))
                .flatMap(this::begin);
    }

    /**
     * Begins a session with the rights of the API token that made a code, and uses the code up.
     *
     * @return empty if the code is unknown, used or expired, or its token is rejected
     */
    @Transactional
    Optional<Tokens.Issued> beginByCode(String text) {
        return tokens.findByHash(new Secret(text).hash())
                .filter(it -> it.kind() == TokenKind.CODE && it.opens(clock.instant()))
                .flatMap(this::redeem)
                .flatMap(this::begin);
    }

    /**
     * Uses up a code and returns the API token that made it; empty if one of both is gone. Locks
     * the token before it deletes the code, as the revocation of the token does: the reverse order
     * could end in a deadlock.
     */
    private Optional<AccessToken> redeem(AccessToken code) {
        return tokens.findForUpdate(code.origin()).filter(_ -> tokens.deleteCode(code.id()) == 1);
    }

    /**
     * @param parent locked, so that it is not revoked before the session is stored
     */
    private Optional<Tokens.Issued> begin(AccessToken parent) {
        return callers.accept(parent).map(caller -> begin(parent, caller.getName()));
    }

    private Tokens.Issued begin(AccessToken parent, String name) {
        Instant now = clock.instant();
        Secret secret = Secret.random(TokenKind.SESSION, random);
        return begun(
                AccessToken.session(parent, name, secret, now, now.plus(settings.life())),
                secret,
                now);
    }

    private Tokens.Issued begun(AccessToken session, Secret secret, Instant now) {
        tokens.deleteByKindAndExpiresAtBefore(TokenKind.SESSION, now);
        tokens.save(session);
        audit.noteArrival(
                session.name(),
                session.userId(),
                session.parentId(),
                of("signed-in", session).with("session", session.id()));
        return new Tokens.Issued(session, secret);
    }

    /** Returns a change of the user, or of the service account token, of a session. */
    private static Change of(String action, AccessToken session) {
        return session.userId() == null
                ? Change.of(action, "token", session.origin())
                : Change.of(action, "user", session.userId());
    }

    /**
     * Makes a one-time code with which a browser begins a session with the rights of the caller's
     * API token, and deletes expired ones.
     *
     * @throws Problem {@code forbidden} if the caller signed in without an API token
     */
    @Transactional
    Tokens.Issued makeCode(Caller.User caller) {
        AccessToken parent =
                tokens.findById(caller.credential())
                        .filter(it -> it.kind() == TokenKind.USER)
                        .orElseThrow(() ->
                                Problem.of(
                                        ErrorCode.FORBIDDEN,
                                        "Only an API token can make a sign-in link: the session of a"
                                                + " password or an identity provider cannot"));
        Instant now = clock.instant();
        tokens.deleteByKindAndExpiresAtBefore(TokenKind.CODE, now);
        Secret secret = Secret.random(TokenKind.CODE, random);
        AccessToken code = tokens.save(AccessToken.code(parent, secret, now, now.plus(CODE_LIFE)));
        audit.note(
                caller,
                Change.of("sign-in-link-created", "token", parent.id())
                        .in(parent.projectId())
                        .with("expiresAt", code.expiresAt()));
        return new Tokens.Issued(code, secret);
    }

    /** Returns the session whose cookie has this text. */
    @Transactional(readOnly = true)
    Optional<AccessToken> find(String text) {
        return tokens.findByHash(new Secret(text).hash())
                .filter(it -> it.kind() == TokenKind.SESSION);
    }

    /** Ends the session of a caller whose cookie has this text. */
    @Transactional
    void end(Caller.User caller, String text) {
        find(text)
                .ifPresent(session -> {
                    tokens.delete(session);
                    audit.note(caller, of("signed-out", session));
                });
    }
}
