package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.rate.Network;
import dev.equipoise.app.rate.RateLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Service;

/** Finds out whether somebody is who they say they are, and begins their sessions. */
@Service
class SignIn {

    private final Users users;
    private final Passwords passwords;
    private final Tokens tokens;
    private final RateLimits limits;
    private final LockOuts lockOuts;
    private final SessionSettings settings;

    SignIn(
            Users users,
            Passwords passwords,
            Tokens tokens,
            RateLimits limits,
            LockOuts lockOuts,
            SessionSettings settings) {
        this.users = users;
        this.passwords = passwords;
        this.tokens = tokens;
        this.limits = limits;
        this.lockOuts = lockOuts;
        this.settings = settings;
    }

    /** A session that has just begun. */
    record Begun(AccessToken session, Secret secret, SessionSettings settings) {

        ResponseCookie cookie(HttpServletRequest request) {
            return SessionCookie.begin(secret, settings.life(), request);
        }
    }

    /**
     * Begins a session.
     *
     * @param address that the attempt comes from
     * @throws Problem {@code unauthenticated} where name and password are nobody's, or a disabled
     *     user's; which of it is not told; {@code rate-limited} after too many attempts
     */
    Begun with(String name, String password, String address) {
        count(name, address);
        Optional<LabUser> user = users.find(name);
        boolean matches = passwords.matches(password, user.map(LabUser::password).orElse(null));
        return user.filter(it -> matches && !it.isDisabled())
                .map(this::begin)
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.UNAUTHENTICATED,
                                "There is no such user with this password"));
    }

    private void count(String name, String address) {
        try {
            Network network = Network.of(address);
            limits.attemptSignIn("network " + network);
            limits.attemptSignIn("name %s from %s".formatted(name, network));
        } catch (Problem tooMany) {
            lockOuts.note(name, address);
            throw tooMany;
        }
    }

    /**
     * Begins a session of somebody for whom an identity provider vouches.
     *
     * @param newcomers whether who has no account gets one
     * @throws Problem {@code forbidden} where there is no such user or it is disabled, {@code
     *     name-taken} where a newcomer's name is another's
     */
    Begun as(Identity identity, boolean newcomers) {
        LabUser user = users.of(identity, newcomers);
        if (user.isDisabled()) {
            throw Problem.of(ErrorCode.FORBIDDEN, "The user is disabled");
        }
        return begin(user);
    }

    /**
     * Gives a user another password.
     *
     * @throws Problem {@code forbidden} where the caller is no user, {@code invalid-request} where
     *     the old password is another, {@code rate-limited} after too many attempts
     */
    void changePassword(Caller.User caller, String old, String password) {
        if (caller.account() == null) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN, "The token stands for itself and has no password");
        }
        LabUser user = users.find(caller.account());
        limits.attemptSignIn("name " + user.name());
        if (!passwords.matches(old, user.password())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("/old", "must be the password until now", null)));
        }
        users.changeOwn(caller, user, passwords.encode(password));
    }

    private Begun begin(LabUser user) {
        Tokens.Issued issued = tokens.issueSession(user, settings.life());
        users.noteSignIn(user.id());
        return new Begun(issued.token(), issued.secret(), settings);
    }
}
