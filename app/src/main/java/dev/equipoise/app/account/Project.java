package dev.equipoise.app.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;
import org.springframework.data.domain.Persistable;

/** Who owns and who may see; never changes once made. */
@Entity
class Project implements Persistable<UUID> {

    @Id private UUID id;
    private String name;
    private Instant createdAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Project() {}

    Project(UUID id, String name, Instant createdAt) {
        this.id = id;
        this.name = name;
        this.createdAt = createdAt;
    }

    @Override
    public UUID getId() {
        return id;
    }

    /** Projects are only ever inserted. */
    @Override
    public boolean isNew() {
        return true;
    }

    String name() {
        return name;
    }

    Instant createdAt() {
        return createdAt;
    }
}
