package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A token, stored as the hash of its text. */
@Entity
class AccessToken {

    /** The minimum interval between two recorded uses. */
    private static final Duration USE_INTERVAL = Duration.ofMinutes(1);

    @Id private UUID id;

    @Enumerated(EnumType.STRING)
    private TokenKind kind;

    private String name;

    private byte[] hash;

    private @Nullable UUID userId;
    private @Nullable UUID projectId;

    @Enumerated(EnumType.STRING)
    private @Nullable Role role;

    private @Nullable UUID workerId;

    /** The API token that began a session, or that made a code. */
    private @Nullable UUID parentId;

    private Instant createdAt;
    private @Nullable Instant expiresAt;
    private @Nullable Instant usedAt;

    /** Number of workers that a join token may admit. */
    private int uses;

    /** Number of workers that a join token has admitted. */
    private int admitted;

    private boolean configured;

    /** Whether the worker of a credential has left. */
    private boolean departed;

    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected AccessToken() {}

    private AccessToken(TokenKind kind, String name, Secret secret, Instant createdAt) {
        this.id = UUID.randomUUID();
        this.kind = kind;
        this.name = name;
        this.hash = secret.hash();
        this.createdAt = createdAt;
        this.uses = 1;
    }

    static AccessToken user(String name, TokenScope scope, Secret secret, Instant now) {
        AccessToken token = new AccessToken(TokenKind.USER, name, secret, now);
        token.userId = scope.user();
        token.projectId = scope.project();
        token.role = scope.role();
        token.expiresAt = scope.expiresAt();
        return token;
    }

    /** Creates the token of a browser session; only its user's role limits it. */
    static AccessToken session(LabUser user, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.SESSION, user.name(), secret, now);
        token.userId = user.id();
        token.role = Role.ADMINISTRATOR;
        token.expiresAt = expiresAt;
        return token;
    }

    /**
     * Creates the token of a browser session that an API token begins: it has its rights.
     *
     * @param name name of the user or the service account
     */
    static AccessToken session(
            AccessToken parent, String name, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.SESSION, name, secret, now);
        token.parentId = parent.id;
        token.userId = parent.userId;
        token.projectId = parent.projectId;
        token.role = parent.role;
        token.expiresAt = parent.endAtMost(expiresAt);
        return token;
    }

    /** Creates the code of a sign-in link, which begins one session with the rights of a token. */
    static AccessToken code(AccessToken parent, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.CODE, parent.name, secret, now);
        token.parentId = parent.id;
        token.expiresAt = parent.endAtMost(expiresAt);
        return token;
    }

    /**
     * Creates a join token.
     *
     * @param uses number of workers that it may admit
     */
    static AccessToken join(String name, int uses, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.JOIN, name, secret, now);
        token.uses = uses;
        token.expiresAt = expiresAt;
        return token;
    }

    /**
     * Creates a token that the settings name: an administrator's or a join token. It is valid as
     * long as the settings name it.
     */
    static AccessToken configured(TokenKind kind, Secret secret, Instant now) {
        AccessToken token = new AccessToken(kind, "of the settings", secret, now);
        token.configured = true;
        token.role = kind == TokenKind.USER ? Role.ADMINISTRATOR : null;
        return token;
    }

    static AccessToken worker(String name, WorkerId worker, Secret secret, Instant now) {
        AccessToken token = new AccessToken(TokenKind.WORKER, name, secret, now);
        token.workerId = worker.value();
        return token;
    }

    /**
     * Tells whether the token has not expired; {@link #isSpent} tells whether a join token is used
     * up.
     */
    boolean opens(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt);
    }

    /**
     * Tells whether a use must be recorded: of a worker's credential only the first. The use of a
     * join token is recorded by {@link #admit}.
     */
    boolean isUseNews(Instant now) {
        return switch (kind) {
            case USER, SESSION -> usedAt == null || usedAt.plus(USE_INTERVAL).isBefore(now);
            case WORKER -> usedAt == null;
            case CODE, JOIN -> false;
        };
    }

    /**
     * Counts a worker that a join token admits, unless it comes from the settings and admits any
     * number.
     *
     * @throws Problem {@code unauthenticated} if it has admitted as many as it may
     */
    void admit(Instant now) {
        if (isSpent()) {
            throw Problem.of(
                    ErrorCode.UNAUTHENTICATED,
                    "The join token has admitted %d of %d workers: create another one"
                            .formatted(Math.max(admitted, 1), uses));
        }
        if (!configured) {
            usedAt = now;
            admitted++;
        }
    }

    /**
     * Tells whether a join token admits no further worker. An instance of the version before
     * records the use of a token, but does not count it.
     */
    boolean isSpent() {
        return kind == TokenKind.JOIN
                && !configured
                && (admitted >= uses || (uses == 1 && usedAt != null));
    }

    int uses() {
        return uses;
    }

    int admitted() {
        return admitted;
    }

    /** Tells whether the settings of the service name the token. */
    boolean isConfigured() {
        return configured;
    }

    /** Tells whether it is a join token that the service has issued. */
    boolean isIssuedForJoining() {
        return kind == TokenKind.JOIN && !configured;
    }

    /** Tells whether the worker of a credential has left and may only return. */
    boolean isDeparted() {
        return departed;
    }

    /**
     * Tells whether the token grants less than its user's access, or expires; false for a session.
     */
    boolean isRestricted() {
        return kind == TokenKind.USER
                && (role != Role.ADMINISTRATOR || projectId != null || expiresAt != null);
    }

    private Instant endAtMost(Instant time) {
        return expiresAt == null || time.isBefore(expiresAt) ? time : expiresAt;
    }

    /**
     * Returns the credential that the caller uses: the API token of a session that one began, else
     * the token itself.
     */
    UUID origin() {
        return parentId == null ? id : parentId;
    }

    @Nullable UUID parentId() {
        return parentId;
    }

    /** Returns the access of the user, limited by the token. */
    Access narrow(Access userAccess) {
        Access access = userAccess.atMost(role());
        return projectId == null ? access : access.onlyIn(projectId);
    }

    /** Returns the access of a service account token. */
    Access own() {
        return projectId == null
                ? Access.everywhere(role())
                : Access.within(projectId, role().atMost(Role.OWNER));
    }

    UUID id() {
        return id;
    }

    TokenKind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    @Nullable UUID userId() {
        return userId;
    }

    @Nullable UUID projectId() {
        return projectId;
    }

    Role role() {
        return Objects.requireNonNull(role);
    }

    boolean isOf(Secret secret) {
        return MessageDigest.isEqual(hash, secret.hash());
    }

    /** Tells whether the token is a credential of the worker. */
    boolean isOf(WorkerId worker) {
        return worker.value().equals(workerId);
    }

    WorkerId worker() {
        return WorkerId.of(Objects.requireNonNull(workerId));
    }

    Instant createdAt() {
        return createdAt;
    }

    @Nullable Instant expiresAt() {
        return expiresAt;
    }

    @Nullable Instant usedAt() {
        return usedAt;
    }
}
