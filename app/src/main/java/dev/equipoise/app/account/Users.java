package dev.equipoise.app.account;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.page.Newest;
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

/** The people who have an account. */
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
     * What is to be changed of a user; null leaves it as it is.
     *
     * @param password ends all sessions of the user
     * @param disabled ends all sessions, and no token of the user opens anything meanwhile
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
     * Makes the account of somebody for whom the identity provider vouches, before they come.
     *
     * @throws Problem {@code name-taken} where the name is another's, or the subject has an account
     */
    @Transactional
    LabUser invite(Caller.User caller, Identity identity, boolean administrator) {
        requireFree(identity.name());
        if (users.findByIssuerAndSubject(identity.issuer(), identity.subject()).isPresent()) {
            throw Problem.of(
                    ErrorCode.NAME_TAKEN,
                    "There is a user of the subject %s already".formatted(identity.subject()));
        }
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

    /**
     * Changes a user.
     *
     * @throws Problem {@code illegal-state} where the lab would be left without an administrator,
     *     or where a password is given to somebody who signs in elsewhere
     */
    @Transactional
    LabUser amend(Caller.User caller, UUID id, Amendment amendment, @Nullable String ifMatch) {
        LabUser user = administrators.keepOne(() -> amended(id, amendment, ifMatch));
        audit.note(
                caller,
                Change.of("user-changed", "user", id)
                        .with("name", user.name())
                        .with("password", amendment.password() == null ? null : "changed")
                        .with("administrator", amendment.administrator())
                        .with("disabled", amendment.disabled()));
        return user;
    }

    private LabUser amended(UUID id, Amendment amendment, @Nullable String ifMatch) {
        LabUser user = find(id);
        new Revision(user.version()).require(ifMatch);
        if (amendment.password() != null) {
            change(user, amendment.password());
        }
        if (amendment.administrator() != null) {
            user.setAdministrator(amendment.administrator());
        }
        if (amendment.disabled() != null) {
            user.setDisabled(amendment.disabled());
        }
        if (user.isDisabled()) {
            endSessions(id);
        }
        return user;
    }

    /** Removes a user with all its tokens; what it made stays. */
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

    /** A user's own new password; all its sessions end. */
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
     * The user for whom an identity provider vouches.
     *
     * @param newcomers whether one is made the first time
     * @throws Problem {@code forbidden} where there is none and none is made, {@code name-taken}
     *     where the name is another's
     */
    @Transactional
    LabUser of(Identity identity, boolean newcomers) {
        return users.findByIssuerAndSubject(identity.issuer(), identity.subject())
                .orElseGet(() -> welcome(identity, newcomers));
    }

    private LabUser welcome(Identity identity, boolean newcomers) {
        if (!newcomers) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "%s, whom the identity provider knows as %s, has no account in the lab: an administrator makes one"
                            .formatted(identity.name(), identity.subject()));
        }
        requireFree(identity.name());
        LabUser user = users.save(LabUser.of(identity, clock.instant()));
        audit.noteArrival(
                user.name(),
                user.id(),
                Change.of("user-created", "user", user.id())
                        .with("name", user.name())
                        .with("issuer", identity.issuer()));
        return user;
    }

    @Transactional
    void noteSignIn(UUID id) {
        users.noteSignIn(id, clock.instant());
    }

    @Transactional(readOnly = true)
    List<LabUser> all(Newest after, int limit) {
        return users.findNewest(after.at(), after.id(), Limit.of(limit));
    }

    @Transactional(readOnly = true)
    boolean hasAdministrator() {
        return users.existsByAdministratorTrueAndDisabledFalse();
    }

    /** What a user may do; none where there is no such user, or it is disabled. */
    @Transactional(readOnly = true)
    Optional<Entry> entry(UUID id) {
        return users.findById(id)
                .filter(user -> !user.isDisabled())
                .map(user -> new Entry(user.name(), access(user)));
    }

    /** Whom a token of a user makes its bearer. */
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
                    "%s signs in at an identity provider and has no password here"
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
            throw Problem.of(ErrorCode.NAME_TAKEN, "There is a user %s already".formatted(name));
        }
    }
}
