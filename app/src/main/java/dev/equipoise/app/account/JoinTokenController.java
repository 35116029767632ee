package dev.equipoise.app.account;

import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.StorableTimes;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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

/** Serves join tokens, for administrators. */
@Tag(name = "Tokens")
@RestController
@RequestMapping("/api/v1/join-tokens")
class JoinTokenController {

    /** Most workers that a join token admits. */
    static final int MAX_USES = 1000;

    private static final Duration USUAL_LIFE = Duration.ofHours(24);
    private static final Duration LONGEST_LIFE = Duration.ofDays(90);

    private final Tokens tokens;
    private final AdmittedWorkers admittedWorkers;
    private final Clock clock;

    JoinTokenController(Tokens tokens, AdmittedWorkers admittedWorkers, Clock clock) {
        this.tokens = tokens;
        this.admittedWorkers = admittedWorkers;
        this.clock = clock;
    }

    /**
     * A join token to create.
     *
     * @param name display name, or null
     * @param uses number of workers that it may admit, from 1 to 1000; null for 1
     * @param expiresAt time at which it becomes invalid, at most 90 days ahead; null for a day from
     *     now
     */
    record NewJoinToken(
            @Nullable @Size(min = 1, max = 100) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name,
            @Nullable @Min(1) @Max(MAX_USES) Integer uses,
            @Nullable Instant expiresAt) {}

    /**
     * A new join token; only this response contains its text.
     *
     * @param token text of the token, which only this response has
     * @param expiresAt time at which it becomes invalid
     * @param id id of the token
     * @param uses number of workers that it may admit
     */
    @Schema(name = "JoinToken")
    record JoinTokenView(String token, Instant expiresAt, UUID id, int uses) {}

    /**
     * A join token without its text.
     *
     * @param id id of the token
     * @param name display name
     * @param uses number of workers that it may admit
     * @param admitted number of workers that it has admitted
     * @param createdAt time of its creation
     * @param expiresAt time at which it becomes invalid
     * @param usedAt when it admitted the last one; null for never
     */
    @Schema(name = "JoinTokenEntry")
    record JoinTokenEntry(
            UUID id,
            String name,
            int uses,
            int admitted,
            Instant createdAt,
            Instant expiresAt,
            @Nullable Instant usedAt) {

        static JoinTokenEntry of(AccessToken token) {
            return new JoinTokenEntry(
                    token.id(),
                    token.name(),
                    token.uses(),
                    token.admitted(),
                    token.createdAt(),
                    Objects.requireNonNull(token.expiresAt()),
                    token.usedAt());
        }
    }

    /**
     * A join token with the workers that it has admitted.
     *
     * @param token the join token, without its text
     * @param workers ids of the workers that it has admitted and that have not been removed, oldest
     *     first
     */
    @Schema(name = "JoinTokenAdmissions")
    record JoinTokenAdmissions(JoinTokenEntry token, List<WorkerId> workers) {}

    /**
     * Page of join tokens.
     *
     * @param items join tokens of the page
     * @param next cursor of the next page; null for the last page
     */
    record JoinTokenList(List<JoinTokenEntry> items, @Nullable String next) {}

    /** Lists the join tokens, newest first, also those that are used up or have expired. */
    @GetMapping
    JoinTokenList listJoinTokens(
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<JoinTokenEntry> page =
                tokens.joinTokens(NewestFirstKey.after(cursor), limit).stream()
                        .map(JoinTokenEntry::of)
                        .toList();
        return new JoinTokenList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /** Returns a join token without its text, and the workers that it has admitted. */
    @GetMapping("/{id}")
    JoinTokenAdmissions getJoinToken(@PathVariable UUID id) {
        return new JoinTokenAdmissions(
                JoinTokenEntry.of(tokens.joinToken(id)), admittedWorkers.admittedBy(id));
    }

    /**
     * Creates a join token, with which new agents register. Only this response contains its text.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<JoinTokenView> createJoinToken(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewJoinToken token) {
        Instant expiresAt = expiry(StorableTimes.require("/expiresAt", token.expiresAt()));
        int uses = token.uses() == null ? 1 : token.uses();
        Tokens.Issued issued =
                tokens.issueForJoining(
                        caller, token.name() == null ? "join" : token.name(), uses, expiresAt);
        UUID id = issued.token().id();
        return ResponseEntity.created(URI.create("/api/v1/join-tokens/" + id))
                .body(new JoinTokenView(issued.secret().text(), expiresAt, id, uses));
    }

    private Instant expiry(@Nullable Instant wanted) {
        Instant now = clock.instant();
        if (wanted == null) {
            return now.plus(USUAL_LIFE);
        }
        if (!wanted.isAfter(now) || wanted.isAfter(now.plus(LONGEST_LIFE))) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "/expiresAt",
                                    "must be in the future, at most %d days ahead"
                                            .formatted(LONGEST_LIFE.toDays()),
                                    wanted)));
        }
        return wanted;
    }

    /** Revokes a join token; the workers that it has admitted stay. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeJoinToken(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        tokens.revokeJoinToken(caller, id);
    }
}
