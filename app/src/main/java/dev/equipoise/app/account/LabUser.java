package dev.equipoise.app.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The account of a person in the lab. */
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

    /** Creates a user who signs in with a password. */
    static LabUser local(
            String name, EncodedPassword password, boolean administrator, Instant now) {
        LabUser user = new LabUser(name, now);
        user.password = password.text();
        user.administrator = administrator;
        return user;
    }

    /** Creates a user of an identity provider, which identifies users by their subjects. */
    static LabUser of(Identity identity, Instant now) {
        LabUser user = new LabUser(identity.name(), now);
        user.issuer = identity.issuer();
        user.subject = identity.subject();
        return user;
    }

    void change(EncodedPassword other) {
        password = other.text();
    }

    void setAdministrator(boolean value) {
        administrator = value;
    }

    void setDisabled(boolean value) {
        disabled = value;
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

    /** Tells whether the user signs in at an identity provider. */
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
