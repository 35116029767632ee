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
    private final Tokens tokens;
    private final OidcSettings oidc;

    SessionController(SignIn signIn, Tokens tokens, OidcSettings oidc) {
        this.signIn = signIn;
        this.tokens = tokens;
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
     * Name and password of a user.
     *
     * @param name name of the user
     * @param password password of the user
     */
    record Credentials(
            @NotNull @Size(max = 100) String name,
            @NotNull @Size(max = UserController.MAX_PASSWORD) String password) {

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
     * @param name name of the user
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
     * Available sign-in methods.
     *
     * @param password whether users sign in with name and password
     * @param oidc the path at which a browser begins to sign in at the identity provider; null if
     *     there is none
     */
    record SignInMethods(boolean password, @Nullable String oidc) {}

    /** Lists the ways to sign in. */
    @GetMapping("/sign-in")
    SignInMethods listSignInMethods(HttpServletRequest request) {
        return new SignInMethods(
                true,
                oidc.issuer() == null
                        ? null
                        : ServicePath.forClients(request, OidcConfiguration.SIGN_IN));
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

    /** Begins a session, which the response sets as a cookie. */
    @PostMapping("/session")
    ResponseEntity<SessionView> createSession(
            HttpServletRequest request, @Valid @RequestBody Credentials credentials) {
        SignIn.NewSession session =
                signIn.with(credentials.name(), credentials.password(), request.getRemoteAddr());
        return ResponseEntity.ok()
                .header(HttpHeaders.SET_COOKIE, session.cookie(request).toString())
                .body(SessionView.of(session.session(), session.secret().text()));
    }

    /**
     * Returns the session that authenticates the request.
     *
     * @throws Problem {@code not-found} if a token authenticates it
     */
    @GetMapping("/session")
    SessionView getSession(
            HttpServletRequest request, @AuthenticationPrincipal Caller.User caller) {
        return tokens.session(caller)
                .map(session -> SessionView.of(session, SessionCookie.of(request).orElseThrow()))
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
        tokens.endSession(caller);
        return ResponseEntity.noContent()
                .header(HttpHeaders.SET_COOKIE, SessionCookie.end(request).toString())
                .build();
    }
}
