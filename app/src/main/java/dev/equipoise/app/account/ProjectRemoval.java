package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Removes projects: empty ones, or with everything in them. */
@Service
class ProjectRemoval {

    private static final Logger log = LoggerFactory.getLogger(ProjectRemoval.class);

    private final Projects access;
    private final ProjectRepository projects;
    private final List<ProjectContents> contents;
    private final Audit audit;

    ProjectRemoval(
            Projects access,
            ProjectRepository projects,
            List<ProjectContents> contents,
            Audit audit) {
        this.access = access;
        this.projects = projects;
        this.contents = List.copyOf(contents);
        this.audit = audit;
    }

    /**
     * Removes a project with its members, tokens, webhooks, quota and usage, in one transaction.
     * The audit log stays.
     *
     * @param everything whether its contents are removed, too
     * @param name of the project, repeated if everything is removed; else null
     * @throws Problem {@code illegal-state} if the project is not empty, or has work that has not
     *     ended; {@code invalid-request} if the name is another one
     */
    @Transactional
    void remove(Caller.User caller, UUID id, boolean everything, @Nullable String name) {
        access.require(caller, Role.OWNER, id);
        // The lock keeps others from adding rows that refer to the project.
        Project project =
                projects.findForUpdate(id).orElseThrow(() -> Problem.notFound("project", id));
        requireName(project, everything, name);
        requireNoneActive(project);
        Map<String, Long> counts = counts(id);
        if (everything) {
            contents.forEach(it -> it.removeAll(id));
        } else {
            requireEmpty(project, counts);
        }
        audit.note(
                caller,
                Change.of("project-removed", "project", id)
                        .in(id)
                        .with("name", project.name())
                        .with("contents", counts));
        projects.delete(project);
        log.info("project removed: {} {} by {}", id, counts, caller.getName());
    }

    private static void requireName(Project project, boolean everything, @Nullable String name) {
        if (everything && !project.name().equals(name)) {
            throw invalid("must be the name of the project, %s".formatted(project.name()), name);
        }
        if (!everything && name != null) {
            throw invalid("needs everything=true; an empty project needs no name", name);
        }
    }

    private static Problem invalid(String rule, @Nullable String name) {
        return Problem.of(ErrorCode.INVALID_REQUEST, List.of(new Violation("?name", rule, name)));
    }

    private void requireNoneActive(Project project) {
        for (ProjectContents each : contents) {
            long active = each.countActive(project.id());
            if (active > 0) {
                throw Problem.of(
                        ErrorCode.ILLEGAL_STATE,
                        "Project %s has %s that have not ended (%d): cancel them first"
                                .formatted(project.name(), each.kind(), active));
            }
        }
    }

    private Map<String, Long> counts(UUID project) {
        Map<String, Long> counts = new LinkedHashMap<>();
        contents.forEach(it -> counts.put(it.kind(), it.count(project)));
        return counts;
    }

    private static void requireEmpty(Project project, Map<String, Long> counts) {
        String rest =
                counts.entrySet().stream()
                        .filter(it -> it.getValue() > 0)
                        .map(it -> "%s (%d)".formatted(it.getKey(), it.getValue()))
                        .collect(Collectors.joining(" and "));
        if (!rest.isEmpty()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Project %s is not empty but has %s: delete these first, or everything with ?everything=true and the name"
                            .formatted(project.name(), rest));
        }
    }
}
