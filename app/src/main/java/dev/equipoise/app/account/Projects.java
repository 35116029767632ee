package dev.equipoise.app.account;

import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.revision.Revision;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Manages projects, and checks the access to all objects of a project. */
@Service
public class Projects {

    private final ProjectRepository projects;
    private final Audit audit;
    private final Clock clock;

    Projects(ProjectRepository projects, Audit audit, Clock clock) {
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Checks that the project exists and the caller may see it.
     *
     * @throws Problem {@code not-found} otherwise, so that no caller learns of hidden projects
     */
    @Transactional(readOnly = true)
    public void require(Caller.User caller, UUID project) {
        require(caller, Role.VIEWER, project);
    }

    /**
     * Checks that the project exists and the caller has at least a role in it.
     *
     * @throws Problem {@code not-found} if the caller may not see the project, {@code forbidden} if
     *     the role is lower
     */
    @Transactional(readOnly = true)
    public void require(Caller.User caller, Role needed, UUID project) {
        if (!caller.maySee(project) || !projects.existsById(project)) {
            throw Problem.notFound("project", project);
        }
        caller.require(needed, project);
    }

    /**
     * Checks that the caller is an administrator of the lab.
     *
     * @throws Problem {@code forbidden} otherwise
     */
    public void requireAdministrator(Caller.User caller) {
        if (!caller.isAdministrator()) {
            throw Problem.of(ErrorCode.FORBIDDEN, Denial.ofOthers(caller.access()));
        }
    }

    @Transactional
    Project create(Caller.User caller, String name) {
        requireFree(name);
        Project project = projects.save(new Project(UUID.randomUUID(), name, clock.instant()));
        audit.note(
                caller,
                Change.of("project-created", "project", project.id())
                        .in(project.id())
                        .with("name", name));
        return project;
    }

    @Transactional
    Project rename(Caller.User caller, UUID id, @Nullable String name, @Nullable String ifMatch) {
        Project project = find(caller, Role.OWNER, id);
        new Revision(project.version()).require(ifMatch);
        if (name != null && !project.name().equals(name)) {
            requireFree(name);
            audit.note(
                    caller,
                    Change.of("project-renamed", "project", id)
                            .in(id)
                            .with("from", project.name())
                            .with("to", name));
            project.rename(name);
        }
        return project;
    }

    @Transactional
    Project bound(Caller.User caller, UUID id, Quota quota, @Nullable String ifMatch) {
        Project project = find(caller, Role.ADMINISTRATOR, id);
        new Revision(project.version()).require(ifMatch);
        audit.note(
                caller,
                Change.of("quota-set", "project", id)
                        .in(id)
                        .with("from", project.quota())
                        .with("to", quota));
        project.bound(quota);
        return project;
    }

    @Transactional(readOnly = true)
    Project find(Caller.User caller, UUID id) {
        return find(caller, Role.VIEWER, id);
    }

    @Transactional(readOnly = true)
    List<Project> visibleTo(Caller.User caller, NewestFirstKey after, int limit) {
        Optional<Set<UUID>> visible = caller.access().visible();
        return projects.findNewest(
                visible.isEmpty(),
                visible.orElse(Set.of()),
                after.at(),
                after.id(),
                Limit.of(limit));
    }

    private Project find(Caller.User caller, Role needed, UUID id) {
        require(caller, needed, id);
        return projects.findById(id).orElseThrow(() -> Problem.notFound("project", id));
    }

    private void requireFree(String name) {
        if (projects.existsByName(name)) {
            throw Problem.of(
                    ErrorCode.NAME_TAKEN,
                    "A project named %s already exists; choose another name".formatted(name));
        }
    }
}
