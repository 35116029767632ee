package dev.equipoise.app.account;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.revision.Revision;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Manages user accounts. */
@Service
class Users {

    private final UserRepository users;
    private final MembershipRepository memberships;
    private final TokenRepository tokens;
    private final Administrators administrators;
    private final Audit audit;
    private final Clock clock;

    Users(
            UserRepository users,
            MembershipRepository memberships,
            TokenRepository tokens,
            Administrators administrators,
            Audit audit,
            Clock clock) {
        this.users = users;
        this.memberships = memberships;
        this.tokens = tokens;
        this.administrators = administrators;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Changes of a user; null keeps the value.
     *
     * @param password ends all sessions of the user
     * @param disabled ends all sessions; while set, the user's tokens are invalid
     */
    record Amendment(
            @Nullable EncodedPassword password,
            @Nullable Boolean administrator,
            @Nullable Boolean disabled) {}

    @Transactional
    LabUser create(
            Caller.User caller, String name, EncodedPassword password, boolean administrator) {
        requireFree(name);
        LabUser user = users.save(LabUser.local(name, password, administrator, clock.instant()));
        audit.note(
                caller,
                Change.of("user-created", "user", user.id())
                        .with("name", name)
                        .with("administrator", administrator));
        return user;
    }

    /**
     * Creates the account of a user of the identity provider before the first sign-in.
     *
     * @throws Problem {@code name-taken} if the name is taken or the subject already has an account
     */
    @Transactional
    LabUser invite(Caller.User caller, Identity identity, boolean administrator) {
        requireFree(identity.name());
        requireUnknown(identity);
        LabUser user = LabUser.of(identity, clock.instant());
        user.setAdministrator(administrator);
        users.save(user);
        audit.note(
                caller,
                Change.of("user-created", "user", user.id())
                        .with("name", identity.name())
                        .with("issuer", identity.issuer())
                        .with("subject", identity.subject())
                        .with("administrator", administrator));
        return user;
    }

    private void requireUnknown(Identity identity) {
        if (users.findByIssuerAndSubject(identity.issuer(), identity.subject()).isPresent()) {
            throw Problem.of(
                    ErrorCode.NAME_TAKEN,
                    "A user with the subject %s already exists".formatted(identity.subject()));
        }
    }

    /**
     * Changes a user.
     *
     * @throws Problem {@code illegal-state} if the lab would lose its last administrator
     *     credential, or if a user of the identity provider would get a password
     */
    @Transactional
    LabUser amend(Caller.User caller, UUID id, Amendment amendment, @Nullable String ifMatch) {
        LabUser user = administrators.keepOne(() -> apply(id, amendment, ifMatch));
        audit.note(
                caller,
                Change.of("user-changed", "user", id)
                        .with("name", user.name())
                        .with("password", amendment.password() == null ? null : "changed")
                        .with("administrator", amendment.administrator())
                        .with("disabled", amendment.disabled()));
        return user;
    }

    private LabUser apply(UUID id, Amendment amendment, @Nullable String ifMatch) {
        LabUser user = find(id);
        new Revision(user.version()).require(ifMatch);
        update(user, amendment);
        if (user.isDisabled()) {
            endSessions(id);
        }
        return user;
    }

    private void update(LabUser user, Amendment amendment) {
        if (amendment.password() != null) {
            change(user, amendment.password());
        }
        if (amendment.administrator() != null) {
            user.setAdministrator(amendment.administrator());
        }
        if (amendment.disabled() != null) {
            user.setDisabled(amendment.disabled());
        }
    }

    /** Removes a user and all its tokens; what the user created stays. */
    @Transactional
    void remove(Caller.User caller, UUID id) {
        LabUser user =
                administrators.keepOne(() -> {
                    LabUser found = find(id);
                    users.delete(found);
                    return found;
                });
        audit.note(caller, Change.of("user-removed", "user", id).with("name", user.name()));
    }

    /** Changes a user's own password; all sessions of the user end. */
    @Transactional
    void changeOwn(Caller.User caller, LabUser user, EncodedPassword password) {
        change(find(user.id()), password);
        audit.note(caller, Change.of("password-changed", "user", user.id()));
    }

    @Transactional(readOnly = true)
    LabUser find(UUID id) {
        return users.findById(id).orElseThrow(() -> Problem.notFound("user", id));
    }

    @Transactional(readOnly = true)
    Optional<LabUser> find(String name) {
        return users.findByNameIgnoreCase(name);
    }

    /**
     * Returns the user of an identity.
     *
     * @param newcomers whether a missing account is created
     * @throws Problem {@code forbidden} if the account is missing and not created, {@code
     *     name-taken} if the name of the new user is taken
     */
    @Transactional
    LabUser of(Identity identity, boolean newcomers) {
        return users.findByIssuerAndSubject(identity.issuer(), identity.subject())
                .orElseGet(() -> createNewcomer(identity, newcomers));
    }

    private LabUser createNewcomer(Identity identity, boolean newcomers) {
        if (!newcomers) {
            throw noAccount(identity);
        }
        requireFree(identity.name());
        LabUser user = users.save(LabUser.of(identity, clock.instant()));
        audit.noteArrival(
                user.name(),
                user.id(),
                null,
                Change.of("user-created", "user", user.id())
                        .with("name", user.name())
                        .with("issuer", identity.issuer()));
        return user;
    }

    private static Problem noAccount(Identity identity) {
        return Problem.of(
                ErrorCode.FORBIDDEN,
                "%s, with the subject %s at the identity provider, has no account in the lab: ask an administrator to create one"
                        .formatted(identity.name(), identity.subject()));
    }

    @Transactional
    void noteSignIn(UUID id) {
        users.noteSignIn(id, clock.instant());
    }

    @Transactional(readOnly = true)
    List<LabUser> all(NewestFirstKey after, int limit) {
        return users.findNewest(after.at(), after.id(), Limit.of(limit));
    }

    @Transactional(readOnly = true)
    boolean hasAdministrator() {
        return users.existsByAdministratorTrueAndDisabledFalse();
    }

    /** Tells whether the lab has users, also disabled ones. */
    @Transactional(readOnly = true)
    boolean exist() {
        return users.count() > 0;
    }

    /** Returns the rights of a user; empty if the user does not exist or is disabled. */
    @Transactional(readOnly = true)
    Optional<Entry> entry(UUID id) {
        return users.findById(id)
                .filter(user -> !user.isDisabled())
                .map(user -> new Entry(user.name(), access(user)));
    }

    /** The name and the rights of a user. */
    record Entry(String name, Access access) {}

    private Access access(LabUser user) {
        return user.isAdministrator()
                ? Access.everywhere(Role.ADMINISTRATOR)
                : new Access(null, roles(user));
    }

    private Map<UUID, Role> roles(LabUser user) {
        return memberships.findByKeyUserId(user.id()).stream()
                .collect(toMap(Membership::project, Membership::role));
    }

    private void change(LabUser user, EncodedPassword password) {
        if (user.isForeign()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "%s signs in at an identity provider and cannot have a password here"
                            .formatted(user.name()));
        }
        user.change(password);
        endSessions(user.id());
    }

    private void endSessions(UUID user) {
        tokens.deleteByKindAndUserId(TokenKind.SESSION, user);
    }

    private void requireFree(String name) {
        if (users.existsByNameIgnoreCase(name)) {
            throw Problem.of(
                    ErrorCode.NAME_TAKEN,
                    "A user named %s already exists; choose another name".formatted(name));
        }
    }
}
