package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Locks runs for changes by editors. */
@Component
class EditableRuns {

    private final RunRepository runs;
    private final RunLocks locks;
    private final Projects projects;

    EditableRuns(RunRepository runs, RunLocks locks, Projects projects) {
        this.runs = runs;
        this.locks = locks;
        this.projects = projects;
    }

    /**
     * Locks a run that the caller may change until the transaction ends. The run is not read before
     * it is locked: a change by a rank's report in between would reject the caller's change.
     *
     * @throws Problem {@code not-found} if the caller may not see the run, {@code forbidden} if it
     *     is no editor of the project
     */
    Run lock(Caller.User caller, RunId id) {
        UUID project =
                runs.findProject(id.value())
                        .filter(caller::maySee)
                        .orElseThrow(() -> Problem.notFound("run", id));
        projects.require(caller, Role.EDITOR, project);
        return locks.lock(id);
    }
}
