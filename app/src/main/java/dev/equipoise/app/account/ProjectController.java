package dev.equipoise.app.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.patch.RequiredField;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
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
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Serves projects, their members and their quotas. */
@Tag(name = "Projects")
@RestController
@RequestMapping("/api/v1/projects")
class ProjectController {

    private static final String NOT_BLANK = ".*\\S.*";

    private final Projects projects;
    private final ProjectRemoval removal;
    private final Members members;

    ProjectController(Projects projects, ProjectRemoval removal, Members members) {
        this.projects = projects;
        this.removal = removal;
        this.members = members;
    }

    /**
     * A project as a caller sees it.
     *
     * @param id id of the project
     * @param name name, which no other project has
     * @param role role of the caller in the project
     * @param quota limits of the project
     * @param createdAt time of its creation
     */
    @Schema(name = "Project")
    record ProjectView(UUID id, String name, Role role, Quota quota, Instant createdAt) {

        static ProjectView of(Project project, Caller.User caller) {
            return new ProjectView(
                    project.id(),
                    project.name(),
                    caller.access().in(project.id()).orElseThrow(),
                    project.quota(),
                    project.createdAt());
        }

        static ResponseEntity<ProjectView> tagged(Project project, Caller.User caller) {
            return ResponseEntity.ok()
                    .eTag(new Revision(project.version()).tag())
                    .body(of(project, caller));
        }
    }

    /**
     * Page of projects.
     *
     * @param items projects of the page
     * @param next cursor of the next page; null for the last page
     */
    record ProjectList(List<ProjectView> items, @Nullable String next) {}

    /**
     * Project to create.
     *
     * @param name name, which no other project has
     */
    record NewProject(
            @NotBlank @Size(max = 100) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name) {}

    /**
     * Change of a project, a JSON merge patch (RFC 7396).
     *
     * @param name new name, which no other project has
     */
    record ProjectAmendment(
            @JsonDeserialize(using = RequiredField.class)
                    @Nullable @Size(max = 100) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) @Pattern(regexp = NOT_BLANK, message = "must not be blank") String name) {}

    /**
     * All members of a project.
     *
     * @param items members of the project
     */
    record MemberList(List<Members.Member> items) {}

    /**
     * Role that a member gets.
     *
     * @param role role in the project
     */
    record NewRole(@NotNull MemberRole role) {}

    enum MemberRole {
        @JsonProperty("viewer")
        VIEWER(Role.VIEWER),
        @JsonProperty("editor")
        EDITOR(Role.EDITOR),
        @JsonProperty("owner")
        OWNER(Role.OWNER);

        private final Role role;

        MemberRole(Role role) {
            this.role = role;
        }
    }

    /** Lists the projects that the caller may see, newest first. */
    @GetMapping
    ProjectList listProjects(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<ProjectView> page =
                projects.visibleTo(caller, NewestFirstKey.after(cursor), limit).stream()
                        .map(it -> ProjectView.of(it, caller))
                        .toList();
        return new ProjectList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /** Creates an empty project, for administrators. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<ProjectView> createProject(
            @AuthenticationPrincipal Caller.User caller, @Valid @RequestBody NewProject project) {
        ProjectView created = ProjectView.of(projects.create(caller, project.name()), caller);
        return ResponseEntity.created(URI.create("/api/v1/projects/" + created.id())).body(created);
    }

    /** Returns a project with its quota and the role of the caller. */
    @GetMapping("/{id}")
    ResponseEntity<ProjectView> getProject(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return ProjectView.tagged(projects.find(caller, id), caller);
    }

    /** Renames a project, by a JSON merge patch (RFC 7396). */
    @PatchMapping(
            path = "/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    ResponseEntity<ProjectView> updateProject(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody ProjectAmendment amendment) {
        return ProjectView.tagged(projects.rename(caller, id, amendment.name(), ifMatch), caller);
    }

    /**
     * Deletes an empty project with its members, tokens, webhooks, quota and usage. With {@code
     * everything=true} and the name of the project it also deletes its experiments and runs, with
     * figures, checkpoints and models. It fails (409) while a run of the project has not ended.
     *
     * @param everything whether experiments and runs are deleted, too
     * @param name name of the project, to confirm that everything is deleted; else left out
     */
    @RetryOnConflict
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteProject(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "false") boolean everything,
            @RequestParam(required = false) @Size(max = 100) @Nullable String name) {
        removal.remove(caller, id, everything, name);
    }

    /** Sets the whole quota; a limit that is null or missing is removed. */
    @PutMapping("/{id}/quota")
    ResponseEntity<ProjectView> setQuota(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody Quota quota) {
        return ProjectView.tagged(projects.bound(caller, id, quota, ifMatch), caller);
    }

    /** Lists the members of a project with their roles. */
    @GetMapping("/{id}/members")
    MemberList listMembers(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return new MemberList(members.of(caller, id));
    }

    /** Adds a member to a project, or changes the role of a member. */
    @PutMapping("/{id}/members/{user}")
    Members.Member setMember(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @PathVariable UUID user,
            @Valid @RequestBody NewRole role) {
        return members.put(caller, id, user, role.role().role);
    }

    /** Removes a member from a project. What the member has created stays. */
    @DeleteMapping("/{id}/members/{user}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removeMember(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @PathVariable UUID user) {
        members.remove(caller, id, user);
    }
}
