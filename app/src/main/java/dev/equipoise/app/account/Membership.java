package dev.equipoise.app.account;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.time.Instant;
import java.util.UUID;

/** The role of a user in a project. */
@Entity
class Membership {

    @Embeddable
    record Key(UUID projectId, UUID userId) {}

    @EmbeddedId private Key key;

    @Enumerated(EnumType.STRING)
    private Role role;

    private Instant since;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Membership() {}

    Membership(UUID project, UUID user, Role role, Instant since) {
        this.key = new Key(project, user);
        this.role = role;
        this.since = since;
    }

    void become(Role other) {
        role = other;
    }

    UUID project() {
        return key.projectId();
    }

    UUID user() {
        return key.userId();
    }

    Role role() {
        return role;
    }

    Instant since() {
        return since;
    }
}
