package dev.equipoise.app.run;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Locks runs: the reports of the ranks of a run arrive at the same time and are applied one after
 * the other.
 */
@Component
class RunLocks {

    private final EntityManager entities;

    RunLocks(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Locks a run until the transaction ends, and reads it. A run that the transaction has locked
     * already is neither locked nor read again.
     *
     * @throws Problem {@code not-found} if the run does not exist
     */
    Run lock(RunId id) {
        Run run = entities.find(Run.class, id.value(), LockModeType.PESSIMISTIC_WRITE);
        if (run == null) {
            throw Problem.notFound("run", id);
        }
        RunLogContext.mark(run);
        return run;
    }

    /** Locks a run until the transaction ends, and changes its revision. */
    void touch(Run run) {
        entities.lock(run, LockModeType.PESSIMISTIC_FORCE_INCREMENT);
    }

    /** Returns whether a run exists and belongs to a project, without locking or reading it. */
    boolean isInProject(UUID run, UUID project) {
        return entities.createQuery(
                                "select count(run) from Run run where run.id = :id and run.projectId = :project",
                                Long.class)
                        .setParameter("id", run)
                        .setParameter("project", project)
                        .getSingleResult()
                > 0;
    }
}
