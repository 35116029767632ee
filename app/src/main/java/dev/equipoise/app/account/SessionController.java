package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ServicePath;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Serves signing in, signing out, and the caller's own account. */
@Tag(name = "Sign-in")
@RestController
@RequestMapping("/api/v1")
class SessionController {

    private final SignIn signIn;
    private final BrowserSessions sessions;
    private final Users users;
    private final OidcSettings oidc;

    SessionController(SignIn signIn, BrowserSessions sessions, Users users, OidcSettings oidc) {
        this.signIn = signIn;
        this.sessions = sessions;
        this.users = users;
        this.oidc = oidc;
    }

    /**
     * The caller of a request.
     *
     * @param name name of the user or the token
     * @param account the user; null for a service account token
     * @param administrator whether the caller has all rights in the lab
     * @param everywhere the role in all projects; null for none
     * @param projects the roles in single projects
     */
    @Schema(name = "Caller")
    record CallerView(
            String name,
            @Nullable UUID account,
            boolean administrator,
            @Nullable Role everywhere,
            Map<UUID, Role> projects) {

        static CallerView of(Caller.User caller) {
            return new CallerView(
                    caller.name(),
                    caller.account(),
                    caller.isAdministrator(),
                    caller.access().everywhere(),
                    caller.access().projects());
        }
    }

    /**
     * Name and password of a user, or an API token, or the code of a sign-in link.
     *
     * @param name name of the user; null without a password
     * @param password password of the user; null without a name
     * @param token an API token; null for another way to sign in
     * @param code one-time code of a sign-in link; null for another way to sign in
     */
    record Credentials(
            @Nullable @Size(max = 100) String name,
            @Nullable @Size(max = UserController.MAX_PASSWORD) String password,
            @Nullable @Size(max = 100) String token,
            @Nullable @Size(max = 100) String code) {

        SignInProof proof() {
            return SignInProof.of(name, password, token, code);
        }

        @Override
        public String toString() {
            return "Credentials[%s]".formatted(name);
        }
    }

    /**
     * Change of the own password.
     *
     * @param old password until now
     * @param password new password
     */
    record NewPassword(
            @NotNull @Size(max = UserController.MAX_PASSWORD) String old,
            @NotNull @Size(min = UserController.MIN_PASSWORD, max = UserController.MAX_PASSWORD) String password) {

        @Override
        public String toString() {
            return "NewPassword[...]";
        }
    }

    /**
     * A browser session.
     *
     * @param name name of the user or the service account token
     * @param expiresAt time at which the session ends
     * @param csrfToken the value of the header {@code X-CSRF-Token} in requests that change
     *     something
     */
    @Schema(name = "Session")
    record SessionView(String name, Instant expiresAt, String csrfToken) {

        static SessionView of(AccessToken session, String secret) {
            return new SessionView(
                    session.name(),
                    Objects.requireNonNull(session.expiresAt()),
                    SessionCsrf.of(secret));
        }
    }

    /**
     * A link that signs one browser in; only this response contains its code.
     *
     * @param code one-time code, which {@code POST /session} takes
     * @param expiresAt time at which the code becomes invalid
     * @param path path of the dashboard, with the code as its fragment, which browsers do not send
     */
    @Schema(name = "SignInLink")
    record SignInLinkView(String code, Instant expiresAt, String path) {

        static SignInLinkView of(Tokens.Issued code) {
            return new SignInLinkView(
                    code.secret().text(),
                    Objects.requireNonNull(code.token().expiresAt()),
                    "/sign-in#code=" + code.secret().text());
        }

        @Override
        public String toString() {
            return "SignInLinkView[%s]".formatted(expiresAt);
        }
    }

    /**
     * Available sign-in methods.
     *
     * @param password whether users sign in with name and password
     * @param oidc the path at which a browser begins to sign in at the identity provider; null if
     *     there is none
     * @param users whether the lab has users; without any, only tokens and links sign in
     */
    record SignInMethods(boolean password, @Nullable String oidc, boolean users) {}

    /** Lists the ways to sign in. */
    @GetMapping("/sign-in")
    SignInMethods listSignInMethods(HttpServletRequest request) {
        return new SignInMethods(
                true,
                oidc.issuer() == null
                        ? null
                        : ServicePath.forClients(request, OidcConfiguration.SIGN_IN),
                users.exist());
    }

    /** Returns the caller of the request and its rights. */
    @GetMapping("/me")
    CallerView getCaller(@AuthenticationPrincipal Caller.User caller) {
        return CallerView.of(caller);
    }

    /** Changes the caller's password and ends all sessions of the caller. */
    @PutMapping("/me/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changeOwnPassword(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewPassword change) {
        signIn.changePassword(caller, change.old(), change.password());
    }

    /**
     * Begins a session, which the response sets as a cookie. The session of an API token, or of a
     * sign-in link, has the rights of the token and ends with it.
     */
    @PostMapping("/session")
    ResponseEntity<SessionView> createSession(
            HttpServletRequest request, @Valid @RequestBody Credentials credentials) {
        SignIn.NewSession session = signIn.with(credentials.proof(), request.getRemoteAddr());
        return ResponseEntity.ok()
                .header(HttpHeaders.SET_COOKIE, session.cookie(request).toString())
                .body(SessionView.of(session.session(), session.secret().text()));
    }

    /**
     * Makes a link that signs one browser in within an hour, with the rights of the API token that
     * authenticates the request. Only this response contains the code.
     *
     * @throws Problem {@code forbidden} if no API token authenticates the caller
     */
    @PostMapping("/sign-in-links")
    SignInLinkView createSignInLink(@AuthenticationPrincipal Caller.User caller) {
        return SignInLinkView.of(sessions.makeCode(caller));
    }

    /**
     * Returns the session that authenticates the request.
     *
     * @throws Problem {@code not-found} if a token authenticates it
     */
    @GetMapping("/session")
    SessionView getSession(HttpServletRequest request) {
        return SessionCookie.authenticating(request)
                .flatMap(cookie ->
                        sessions.find(cookie).map(session -> SessionView.of(session, cookie)))
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.NOT_FOUND,
                                "A token authenticates the request: there is no session"));
    }

    /** Ends the session that authenticates the request, and removes its cookie. */
    @ApiResponse(responseCode = "204", description = "The session has ended")
    @DeleteMapping("/session")
    ResponseEntity<Void> endSession(
            HttpServletRequest request, @AuthenticationPrincipal Caller.User caller) {
        SessionCookie.authenticating(request).ifPresent(cookie -> sessions.end(caller, cookie));
        return ResponseEntity.noContent()
                .header(HttpHeaders.SET_COOKIE, SessionCookie.end(request).toString())
                .build();
    }
}
