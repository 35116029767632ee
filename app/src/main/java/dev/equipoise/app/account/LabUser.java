package dev.equipoise.app.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A person who has an account in the lab. */
@Entity
class LabUser {

    @Id private UUID id;
    private String name;
    private @Nullable String password;
    private @Nullable String issuer;

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private @Nullable String subject;

    private boolean administrator;
    private boolean disabled;
    private Instant createdAt;
    private @Nullable Instant signedInAt;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected LabUser() {}

    private LabUser(String name, Instant now) {
        this.id = UUID.randomUUID();
        this.name = name;
        this.createdAt = now;
    }

    /** Signs in here. */
    static LabUser local(
            String name, EncodedPassword password, boolean administrator, Instant now) {
        LabUser user = new LabUser(name, now);
        user.password = password.text();
        user.administrator = administrator;
        return user;
    }

    /** Signs in at an identity provider, which tells people apart by their subjects. */
    static LabUser of(Identity identity, Instant now) {
        LabUser user = new LabUser(identity.name(), now);
        user.issuer = identity.issuer();
        user.subject = identity.subject();
        return user;
    }

    void change(EncodedPassword other) {
        password = other.text();
    }

    void setAdministrator(boolean is) {
        administrator = is;
    }

    void setDisabled(boolean is) {
        disabled = is;
    }

    UUID id() {
        return id;
    }

    String name() {
        return name;
    }

    @Nullable EncodedPassword password() {
        return password == null ? null : new EncodedPassword(password);
    }

    /** Whether an identity provider vouches for the user. */
    boolean isForeign() {
        return issuer != null;
    }

    boolean isAdministrator() {
        return administrator;
    }

    boolean isDisabled() {
        return disabled;
    }

    Instant createdAt() {
        return createdAt;
    }

    @Nullable Instant signedInAt() {
        return signedInAt;
    }

    long version() {
        return version == null ? 0 : version;
    }
}
