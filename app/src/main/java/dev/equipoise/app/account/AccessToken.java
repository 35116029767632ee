package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A token, known by the hash of its text alone. */
@Entity
class AccessToken {

    @Id private UUID id;

    @Enumerated(EnumType.STRING)
    private TokenKind kind;

    private String name;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private byte[] hash;

    private @Nullable UUID projectId;
    private @Nullable UUID workerId;
    private Instant createdAt;
    private @Nullable Instant expiresAt;
    private @Nullable Instant usedAt;
    private @Nullable UUID admittedWorkerId;
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

    /** Opens one project, or the whole lab where none is given. */
    static AccessToken user(String name, @Nullable UUID project, Secret secret, Instant now) {
        AccessToken token = new AccessToken(TokenKind.USER, name, secret, now);
        token.projectId = project;
        return token;
    }

    static AccessToken join(String name, Secret secret, Instant now, Instant expiresAt) {
        AccessToken token = new AccessToken(TokenKind.JOIN, name, secret, now);
        token.expiresAt = expiresAt;
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

    /** Spends a join token on a worker. */
    void admit(WorkerId worker, Instant now) {
        if (isSpent()) {
            throw spent();
        }
        usedAt = now;
        admittedWorkerId = worker.value();
    }

    boolean isSpent() {
        return usedAt != null;
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

    Caller caller() {
        return switch (kind) {
            case USER ->
                    projectId == null
                            ? new Caller.Administrator(name)
                            : new Caller.Member(name, projectId);
            case JOIN -> new Caller.Newcomer(id);
            case WORKER -> new Caller.Agent(WorkerId.of(Objects.requireNonNull(workerId)));
        };
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

    @Nullable UUID projectId() {
        return projectId;
    }

    Instant createdAt() {
        return createdAt;
    }

    @Nullable Instant expiresAt() {
        return expiresAt;
    }
}
