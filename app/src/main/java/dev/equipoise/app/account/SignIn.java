package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.rate.NetworkPrefix;
import dev.equipoise.app.rate.RateLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Service;

/** Authenticates users and begins their sessions. */
@Service
class SignIn {

    private final Users users;
    private final Passwords passwords;
    private final Tokens tokens;
    private final RateLimits limits;
    private final SignInLockouts lockOuts;
    private final SessionSettings settings;

    SignIn(
            Users users,
            Passwords passwords,
            Tokens tokens,
            RateLimits limits,
            SignInLockouts lockOuts,
            SessionSettings settings) {
        this.users = users;
        this.passwords = passwords;
        this.tokens = tokens;
        this.limits = limits;
        this.lockOuts = lockOuts;
        this.settings = settings;
    }

    /** A new session. */
    record NewSession(AccessToken session, Secret secret, SessionSettings settings) {

        ResponseCookie cookie(HttpServletRequest request) {
            return SessionCookie.begin(secret, settings.life(), request);
        }
    }

    /**
     * Begins a session.
     *
     * @param address the source of the attempt
     * @throws Problem {@code unauthenticated} if name and password match no user, or a disabled
     *     one, which the message does not distinguish; {@code rate-limited} after too many attempts
     */
    NewSession with(String name, String password, String address) {
        count(name, address);
        Optional<LabUser> user = users.find(name);
        boolean matches = passwords.matches(password, user.map(LabUser::password).orElse(null));
        return user.filter(it -> matches && !it.isDisabled())
                .map(this::begin)
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.UNAUTHENTICATED, "No user has this name and password"));
    }

    private void count(String name, String address) {
        try {
            NetworkPrefix network = NetworkPrefix.of(address);
            limits.attemptSignIn("network " + network);
            limits.attemptSignIn("name %s from %s".formatted(name, network));
            limits.attemptSignInAs(name);
        } catch (Problem tooMany) {
            lockOuts.note(name, address);
            throw tooMany;
        }
    }

    /**
     * Begins a session of a user of an identity provider.
     *
     * @param newcomers whether a user without an account gets one
     * @throws Problem {@code forbidden} if the user does not exist or is disabled, {@code
     *     name-taken} if the name of a new user is taken
     */
    NewSession as(Identity identity, boolean newcomers) {
        LabUser user = users.of(identity, newcomers);
        if (user.isDisabled()) {
            throw Problem.of(ErrorCode.FORBIDDEN, "The user is disabled");
        }
        return begin(user);
    }

    /**
     * Changes the password of a user.
     *
     * @throws Problem {@code forbidden} if the caller is not a user, {@code invalid-request} if the
     *     old password is wrong, {@code rate-limited} after too many attempts
     */
    void changePassword(Caller.User caller, String old, String password) {
        if (caller.account() == null) {
            throw Problem.of(ErrorCode.FORBIDDEN, "A service account token has no password");
        }
        LabUser user = users.find(caller.account());
        limits.attemptSignIn("name " + user.name());
        if (!passwords.matches(old, user.password())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("/old", "must be the current password", null)));
        }
        users.changeOwn(caller, user, passwords.encode(password));
    }

    private NewSession begin(LabUser user) {
        Tokens.Issued issued = tokens.issueSession(user, settings.life());
        users.noteSignIn(user.id());
        return new NewSession(issued.token(), issued.secret(), settings);
    }
}
