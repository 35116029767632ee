package dev.equipoise.app.account;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** An entry of the audit log. */
@Entity
@Immutable
class AuditEntry {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private Instant at;
    private String actor;
    private @Nullable UUID userId;
    private @Nullable UUID tokenId;
    private String action;
    private String subjectKind;
    private String subject;
    private @Nullable UUID projectId;

    @JdbcTypeCode(SqlTypes.JSON)
    private Map<String, Object> detail;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected AuditEntry() {}

    AuditEntry(Instant at, String actor, @Nullable UUID user, @Nullable UUID token, Change change) {
        this.at = at;
        this.actor = actor;
        this.userId = user;
        this.tokenId = token;
        this.action = change.action();
        this.subjectKind = change.kind();
        this.subject = change.subject();
        this.projectId = change.project();
        this.detail = change.detail();
    }

    AuditView view() {
        return new AuditView(
                id == null ? 0 : id,
                at,
                actor,
                userId,
                tokenId,
                action,
                subjectKind,
                subject,
                projectId,
                detail);
    }
}
