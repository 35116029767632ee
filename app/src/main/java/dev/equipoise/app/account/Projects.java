package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The projects, and the check that every object of one goes through. */
@Service
public class Projects {

    private final ProjectRepository projects;
    private final Clock clock;

    Projects(ProjectRepository projects, Clock clock) {
        this.projects = projects;
        this.clock = clock;
    }

    /**
     * Passes if the project exists and the caller may use it.
     *
     * @throws Problem {@code not-found} otherwise, so that nobody learns of another's project
     */
    @Transactional(readOnly = true)
    public void require(Caller.User caller, UUID project) {
        if (!caller.mayUse(project) || !projects.existsById(project)) {
            throw Problem.notFound("project", project);
        }
    }

    @Transactional
    Project create(String name) {
        if (projects.existsByName(name)) {
            throw Problem.of(ErrorCode.NAME_TAKEN, "There is a project %s already".formatted(name));
        }
        return projects.save(new Project(UUID.randomUUID(), name, clock.instant()));
    }

    @Transactional(readOnly = true)
    List<Project> visibleTo(Caller.User caller, int limit) {
        return switch (caller) {
            case Caller.Administrator _ -> projects.findByOrderByCreatedAtDesc(Limit.of(limit));
            case Caller.Member member -> projects.findById(member.project()).stream().toList();
        };
    }
}
