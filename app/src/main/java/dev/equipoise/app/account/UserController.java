package dev.equipoise.app.account;

import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.patch.RequiredField;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Serves the users of the lab. */
@Tag(name = "Users")
@RestController
@RequestMapping("/api/v1/users")
class UserController {

    /** The pattern of user names. */
    static final String NAME = "[\\p{L}\\p{N}][\\p{L}\\p{N}._@+ -]{0,99}";

    /** The minimum length of a password, since shorter ones can be found by trial. */
    static final int MIN_PASSWORD = 10;

    /** The maximum length of a password. */
    static final int MAX_PASSWORD = 200;

    /** The maximum length of a subject, by OpenID Connect Core 1.0, section 2. */
    private static final int MAX_SUBJECT = 255;

    private final Users users;
    private final Passwords passwords;
    private final OidcSettings oidc;

    UserController(Users users, Passwords passwords, OidcSettings oidc) {
        this.users = users;
        this.passwords = passwords;
        this.oidc = oidc;
    }

    /**
     * A user.
     *
     * @param id id of the user
     * @param name name, which no other user has
     * @param foreign whether the user signs in at an identity provider and has no password here
     * @param administrator whether the user has all rights in the lab
     * @param disabled whether the user cannot sign in and its tokens are invalid
     * @param createdAt time of the creation of the account
     * @param signedInAt time of the last sign-in; null for never
     */
    @Schema(name = "User")
    record UserView(
            UUID id,
            String name,
            boolean foreign,
            boolean administrator,
            boolean disabled,
            Instant createdAt,
            @Nullable Instant signedInAt) {

        static UserView of(LabUser user) {
            return new UserView(
                    user.id(),
                    user.name(),
                    user.isForeign(),
                    user.isAdministrator(),
                    user.isDisabled(),
                    user.createdAt(),
                    user.signedInAt());
        }

        static ResponseEntity<UserView> created(LabUser user) {
            return ResponseEntity.created(URI.create("/api/v1/users/" + user.id())).body(of(user));
        }

        static ResponseEntity<UserView> tagged(LabUser user) {
            return ResponseEntity.ok().eTag(new Revision(user.version()).tag()).body(of(user));
        }
    }

    /**
     * Page of users.
     *
     * @param items users of the page
     * @param next cursor of the next page; null for the last page
     */
    record UserList(List<UserView> items, @Nullable String next) {}

    /**
     * A user to create.
     *
     * @param name name, which no other user has
     * @param password null for a user of the identity provider
     * @param subject the user's id at the identity provider; null for a user with a password
     * @param administrator whether the user has all rights in the lab; null for no
     */
    record NewUser(
            @NotNull @Pattern(regexp = NAME) String name,
            @Nullable @Size(min = MIN_PASSWORD, max = MAX_PASSWORD) String password,
            @Nullable @Size(min = 1, max = MAX_SUBJECT) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String subject,
            @Nullable Boolean administrator) {

        @Override
        public String toString() {
            return "NewUser[%s]".formatted(name);
        }
    }

    /**
     * Change of a user, a JSON merge patch (RFC 7396).
     *
     * @param password new password, which ends all sessions of the user
     * @param administrator whether the user has all rights in the lab
     * @param disabled whether the user cannot sign in and its tokens are invalid
     */
    record UserAmendment(
            @JsonDeserialize(using = RequiredField.class)
                    @Nullable @Size(min = MIN_PASSWORD, max = MAX_PASSWORD) String password,
            @JsonDeserialize(using = RequiredField.class) @Nullable Boolean administrator,
            @JsonDeserialize(using = RequiredField.class) @Nullable Boolean disabled) {

        @Override
        public String toString() {
            return "UserAmendment[...]";
        }
    }

    /** Lists the users of the lab, newest first. */
    @GetMapping
    UserList listUsers(
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<UserView> page =
                users.all(NewestFirstKey.after(cursor), limit).stream().map(UserView::of).toList();
        return new UserList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /** Creates a user: with a password, or for a subject of the identity provider. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<UserView> createUser(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewUser user) {
        boolean administrator = Boolean.TRUE.equals(user.administrator());
        if (user.password() != null && user.subject() == null) {
            EncodedPassword password = passwords.encode(user.password());
            return UserView.created(users.create(caller, user.name(), password, administrator));
        }
        if (user.subject() == null || user.password() != null) {
            throw invalid(
                    "/password",
                    "must be given without a subject, and left out with one: give exactly one of the two");
        }
        if (oidc.issuer() == null) {
            throw invalid("/subject", "belongs to an identity provider, but the lab has none");
        }
        Identity identity = new Identity(oidc.issuer(), user.subject(), user.name());
        return UserView.created(users.invite(caller, identity, administrator));
    }

    private static Problem invalid(String pointer, String rule) {
        return Problem.of(ErrorCode.INVALID_REQUEST, List.of(new Violation(pointer, rule, null)));
    }

    /** Returns a user. */
    @GetMapping("/{id}")
    ResponseEntity<UserView> getUser(@PathVariable UUID id) {
        return UserView.tagged(users.find(id));
    }

    /**
     * Changes a user, by a JSON merge patch (RFC 7396). A new password and a disabled account end
     * all sessions of the user.
     */
    @PatchMapping(
            path = "/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    ResponseEntity<UserView> updateUser(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody UserAmendment amendment) {
        return UserView.tagged(users.amend(caller, id, encode(amendment), ifMatch));
    }

    private Users.Amendment encode(UserAmendment amendment) {
        return new Users.Amendment(
                amendment.password() == null ? null : passwords.encode(amendment.password()),
                amendment.administrator(),
                amendment.disabled());
    }

    /** Removes a user with all its tokens. What the user has created stays. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteUser(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        users.remove(caller, id);
    }
}
