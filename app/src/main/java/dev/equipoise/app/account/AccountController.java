package dev.equipoise.app.account;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
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

/** Projects and tokens. */
@RestController
@RequestMapping("/api/v1")
class AccountController {

    private final Projects projects;
    private final Tokens tokens;

    AccountController(Projects projects, Tokens tokens) {
        this.projects = projects;
        this.tokens = tokens;
    }

    @Schema(name = "Caller")
    record CallerView(String name, boolean administrator, @Nullable UUID project) {}

    @Schema(name = "Project")
    record ProjectView(UUID id, String name, Instant createdAt) {

        static ProjectView of(Project project) {
            return new ProjectView(project.getId(), project.name(), project.createdAt());
        }
    }

    record ProjectList(List<ProjectView> items) {}

    record NewProject(@NotBlank @Size(max = 100) String name) {}

    /** A token; its text is there only in the answer that made it. */
    @Schema(name = "Token")
    record TokenView(
            UUID id,
            String name,
            @Nullable UUID project,
            Instant createdAt,
            @Nullable String token) {

        static TokenView of(AccessToken token, @Nullable String text) {
            return new TokenView(
                    token.id(), token.name(), token.projectId(), token.createdAt(), text);
        }
    }

    record TokenList(List<TokenView> items) {}

    record NewToken(@NotBlank @Size(max = 100) String name, @Nullable UUID project) {}

    /**
     * A new join token.
     *
     * @param name for people, or null
     */
    record NewJoinToken(@Nullable @Size(min = 1, max = 100) String name) {}

    @Schema(name = "JoinToken")
    record JoinTokenView(String token, Instant expiresAt) {}

    @GetMapping("/me")
    CallerView me(@AuthenticationPrincipal Caller.User caller) {
        return switch (caller) {
            case Caller.Administrator it -> new CallerView(it.name(), true, null);
            case Caller.Member it -> new CallerView(it.name(), false, it.project());
        };
    }

    @GetMapping("/projects")
    ProjectList projects(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return new ProjectList(
                projects.visibleTo(caller, limit).stream().map(ProjectView::of).toList());
    }

    @PostMapping("/projects")
    @ResponseStatus(HttpStatus.CREATED)
    ProjectView create(@Valid @RequestBody NewProject project) {
        return ProjectView.of(projects.create(project.name()));
    }

    @GetMapping("/tokens")
    TokenList tokens(@RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return new TokenList(
                tokens.ofUsers(limit).stream().map(it -> TokenView.of(it, null)).toList());
    }

    @PostMapping("/tokens")
    @ResponseStatus(HttpStatus.CREATED)
    TokenView create(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewToken token) {
        if (token.project() != null) {
            projects.require(caller, token.project());
        }
        Tokens.Issued issued = tokens.issueForUser(token.name(), token.project());
        return TokenView.of(issued.token(), issued.secret().text());
    }

    @DeleteMapping("/tokens/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable UUID id) {
        tokens.revoke(id);
    }

    @PostMapping("/join-tokens")
    @ResponseStatus(HttpStatus.CREATED)
    JoinTokenView join(@Valid @RequestBody NewJoinToken token) {
        Tokens.Issued issued = tokens.issueForJoining(token.name() == null ? "join" : token.name());
        return new JoinTokenView(
                issued.secret().text(), Objects.requireNonNull(issued.token().expiresAt()));
    }
}
