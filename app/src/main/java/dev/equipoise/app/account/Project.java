package dev.equipoise.app.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A project: its name and its quota. */
@Entity
class Project {

    @Id private UUID id;
    private String name;

    @JdbcTypeCode(SqlTypes.JSON)
    private Quota quota;

    private Instant createdAt;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Project() {}

    Project(UUID id, String name, Instant createdAt) {
        this.id = id;
        this.name = name;
        this.quota = Quota.NONE;
        this.createdAt = createdAt;
    }

    void rename(String other) {
        name = other;
    }

    void bound(Quota other) {
        quota = other;
    }

    UUID id() {
        return id;
    }

    String name() {
        return name;
    }

    Quota quota() {
        return quota;
    }

    Instant createdAt() {
        return createdAt;
    }

    long version() {
        return version == null ? 0 : version;
    }
}
