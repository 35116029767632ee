package dev.equipoise.app.account;

import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.StorableTimes;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Serves user tokens and service account tokens. */
@Tag(name = "Tokens")
@RestController
@RequestMapping("/api/v1")
class TokenController {

    private final Tokens tokens;
    private final Clock clock;

    TokenController(Tokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * A token; only the response that creates it contains its text.
     *
     * @param id id of the token
     * @param name display name
     * @param user the owner; null for a service account token
     * @param project the only accessible project; null for all that the user may see, or the whole
     *     lab
     * @param role the highest role of the bearer
     * @param createdAt time of its creation
     * @param expiresAt time at which it becomes invalid; null for never
     * @param usedAt the last use, with a precision of a minute; null for never
     * @param token text of the token; null except in the response that creates it
     */
    @Schema(name = "Token")
    record TokenView(
            UUID id,
            String name,
            @Nullable UUID user,
            @Nullable UUID project,
            Role role,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant usedAt,
            @Nullable String token) {

        static TokenView of(AccessToken token, @Nullable String text) {
            return new TokenView(
                    token.id(),
                    token.name(),
                    token.userId(),
                    token.projectId(),
                    token.role(),
                    token.createdAt(),
                    token.expiresAt(),
                    token.usedAt(),
                    text);
        }
    }

    /**
     * Page of tokens.
     *
     * @param items tokens of the page
     * @param next cursor of the next page; null for the last page
     */
    record TokenList(List<TokenView> items, @Nullable String next) {}

    /**
     * A token to create.
     *
     * @param name display name
     * @param project the only accessible project; null for all that the creator may see
     * @param role the highest role of the bearer; null for editor with a project, and otherwise for
     *     all rights of the creator
     * @param expiresAt time at which it becomes invalid; null for never
     * @param standsAlone whether it is a service account token, which has no owner and stays when
     *     its creator leaves; null if it is one exactly when the creator's token is
     */
    record NewToken(
            @NotBlank @Size(max = 100) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name,
            @Nullable UUID project,
            @Nullable Role role,
            @Nullable Instant expiresAt,
            @Nullable Boolean standsAlone) {

        Role roleOrUsual() {
            if (role != null) {
                return role;
            }
            return project == null ? Role.ADMINISTRATOR : Role.EDITOR;
        }
    }

    /** Lists the tokens of the caller, newest first; administrators see all of the lab. */
    @GetMapping("/tokens")
    TokenList listTokens(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<TokenView> page =
                tokens.visibleTo(caller, NewestFirstKey.after(cursor), limit).stream()
                        .map(it -> TokenView.of(it, null))
                        .toList();
        return new TokenList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /** Creates a token. Only this response contains its text. */
    @PostMapping("/tokens")
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<TokenView> createToken(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewToken token) {
        requireFuture(StorableTimes.require("/expiresAt", token.expiresAt()));
        Tokens.Issued issued = tokens.issue(caller, token.name(), scope(caller, token));
        TokenView view = TokenView.of(issued.token(), issued.secret().text());
        return ResponseEntity.created(URI.create("/api/v1/tokens/" + view.id())).body(view);
    }

    private static TokenScope scope(Caller.User caller, NewToken token) {
        UUID user = Boolean.TRUE.equals(token.standsAlone()) ? null : caller.account();
        return new TokenScope(user, token.project(), token.roleOrUsual(), token.expiresAt());
    }

    private void requireFuture(@Nullable Instant expiresAt) {
        if (expiresAt != null && !expiresAt.isAfter(clock.instant())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("/expiresAt", "must be in the future", expiresAt)));
        }
    }

    /** Revokes a token, which is invalid from then on. */
    @DeleteMapping("/tokens/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeToken(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        tokens.revoke(caller, id);
    }
}
