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
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A token, known by the hash of its text alone. */
@Entity
class AccessToken {

    /** The last use is noted no more often. */
    private static final Duration USE = Duration.ofMinutes(1);

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
    private Instant createdAt;
    private @Nullable Instant expiresAt;
    private @Nullable Instant usedAt;
    private @Nullable UUID admittedWorkerId;
    private boolean configured;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected AccessToken() {}

    private AccessToken(TokenKind kind, String name, Secret secret, Instant createdAt) {
        this.id = UUID.randomUUID();
        this.kind = kind;
        this.name = name;
        this.hash = secret.hash();
        this.createdAt = createdAt;
    }

    static AccessToken user(String name, TokenScope scope, Secret secret, Instant now) {
        AccessToken token = new AccessToken(TokenKind.USER, name, secret, now);
        token.userId = scope.user();
        token.projectId = scope.project();
        token.role = scope.role();
        token.expiresAt = scope.expiresAt();
        return token;
    }

    /** A browser's; its user's role is the only bound. */
    static AccessToken session(LabUser user, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.SESSION, user.name(), secret, now);
        token.userId = user.id();
        token.role = Role.ADMINISTRATOR;
        token.expiresAt = expiresAt;
        return token;
    }

    static AccessToken join(String name, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.JOIN, name, secret, now);
        token.expiresAt = expiresAt;
        return token;
    }

    /** One that the settings name, for as long as they do: an administrator's, or for joining. */
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

    /** Whether it is still worth something; what a spent join token is worth is told elsewhere. */
    boolean opens(Instant now) {
        return expiresAt == null || now.isBefore(expiresAt);
    }

    /**
     * Whether a use is to be noted: of a worker's credential the first, of a join token its only
     * one, elsewhere.
     */
    boolean isUseNews(Instant now) {
        return switch (kind) {
            case USER, SESSION -> usedAt == null || usedAt.plus(USE).isBefore(now);
            case WORKER -> usedAt == null;
            case JOIN -> false;
        };
    }

    /** Spends a join token on a worker, unless it is there for all. */
    void admit(WorkerId worker, Instant now) {
        if (isSpent()) {
            throw spent();
        }
        if (!configured) {
            usedAt = now;
            admittedWorkerId = worker.value();
        }
    }

    boolean isSpent() {
        return kind == TokenKind.JOIN && usedAt != null;
    }

    /** Whether the settings of the service name it. */
    boolean isConfigured() {
        return configured;
    }

    /** The worker that this join token has let in, if a credential is that worker's. */
    WorkerId requireAdmitted(Optional<AccessToken> credential) {
        return credential
                .map(it -> it.workerId)
                .filter(worker -> worker.equals(admittedWorkerId))
                .map(WorkerId::of)
                .orElseThrow(AccessToken::spent);
    }

    private static Problem spent() {
        return Problem.of(ErrorCode.UNAUTHENTICATED, "The join token is spent");
    }

    /** Whether it opens less than its user may, or for a time alone; a session does not. */
    boolean isBounded() {
        return kind == TokenKind.USER
                && (role != Role.ADMINISTRATOR || projectId != null || expiresAt != null);
    }

    /** What is left of a user's access to whoever has the token. */
    Access narrow(Access ofUser) {
        Access access = ofUser.atMost(role());
        return projectId == null ? access : access.onlyIn(projectId);
    }

    /** What a token that stands for itself opens. */
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

    /** Whether it is a credential of the worker. */
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
