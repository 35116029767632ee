package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.rate.NetworkPrefix;
import dev.equipoise.app.rate.RateLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Service;

/** Authenticates users and begins their sessions. */
@Service
class SignIn {

    private final Users users;
    private final Passwords passwords;
    private final BrowserSessions sessions;
    private final RateLimits limits;
    private final SignInLockouts lockOuts;

    SignIn(
            Users users,
            Passwords passwords,
            BrowserSessions sessions,
            RateLimits limits,
            SignInLockouts lockOuts) {
        this.users = users;
        this.passwords = passwords;
        this.sessions = sessions;
        this.limits = limits;
        this.lockOuts = lockOuts;
    }

    /** A new session. */
    record NewSession(AccessToken session, Secret secret) {

        private static NewSession of(Tokens.Issued issued) {
            return new NewSession(issued.token(), issued.secret());
        }

        ResponseCookie cookie(HttpServletRequest request) {
            Instant end = Objects.requireNonNull(session.expiresAt());
            return SessionCookie.begin(secret, Duration.between(session.createdAt(), end), request);
        }
    }

    /**
     * Begins a session: of a user, or with the rights of an API token, with which it ends.
     *
     * @param address the source of the attempt
     * @throws Problem {@code unauthenticated} if name and password match no user, or a disabled
     *     one, which the message does not distinguish; if the token is invalid or has expired; if
     *     the code was used, is invalid or has expired; {@code rate-limited} after too many
     *     attempts
     */
    NewSession with(SignInProof proof, String address) {
        count(proof.name(), address);
        return begin(proof).map(this::arrived).orElseThrow(() -> rejected(proof));
    }

    private Optional<Tokens.Issued> begin(SignInProof proof) {
        return switch (proof) {
            case SignInProof.Password it -> begin(it);
            case SignInProof.Token token -> sessions.beginByToken(token.text());
            case SignInProof.Code code -> sessions.beginByCode(code.text());
        };
    }

    private Optional<Tokens.Issued> begin(SignInProof.Password proof) {
        Optional<LabUser> user = users.find(proof.name());
        boolean matches =
                passwords.matches(proof.password(), user.map(LabUser::password).orElse(null));
        return user.filter(it -> matches && !it.isDisabled()).map(sessions::begin);
    }

    private static Problem rejected(SignInProof proof) {
        return Problem.of(
                ErrorCode.UNAUTHENTICATED,
                switch (proof) {
                    case SignInProof.Password _ -> "No user has this name and password";
                    case SignInProof.Token _ -> "The API token is invalid or has expired";
                    case SignInProof.Code _ ->
                            "The sign-in link was used or has expired: make another one with"
                                    + " ./equipoise open";
                });
    }

    private NewSession arrived(Tokens.Issued issued) {
        UUID user = issued.token().userId();
        if (user != null) {
            users.noteSignIn(user);
        }
        return NewSession.of(issued);
    }

    /** Counts an attempt for its network, and for its name unless it is null. */
    private void count(@Nullable String name, String address) {
        try {
            NetworkPrefix network = NetworkPrefix.of(address);
            limits.attemptSignIn("network " + network);
            if (name != null) {
                limits.attemptSignIn("name %s from %s".formatted(name, network));
                limits.attemptSignInAs(name);
            }
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
        return arrived(sessions.begin(user));
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
}
