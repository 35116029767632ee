package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Locks runs for changes by editors. It calls no transactional method that rejects, so that a
 * caller may go on in its transaction after a rejection.
 */
@Component
class EditableRuns {

    private final RunRepository runs;
    private final RunLocks locks;
    private final RunSearch search;

    EditableRuns(RunRepository runs, RunLocks locks, RunSearch search) {
        this.runs = runs;
        this.locks = locks;
        this.search = search;
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
        caller.require(Role.EDITOR, project);
        return locks.lock(id);
    }

    /**
     * Locks a run as {@link #lock(Caller.User, RunId)} does, if it fulfills a condition.
     *
     * @param condition null for none
     * @throws Problem {@code conflict} if the run does not fulfill it any more
     */
    Run lock(Caller.User caller, RunId id, @Nullable Condition condition) {
        Run run = lock(caller, id);
        if (condition != null && !search.matches(run.id(), condition)) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "Run %s has changed and no longer fulfills the filter".formatted(id));
        }
        return run;
    }
}
