package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Changes that editors make to runs: priority, tags, cancel, remove. */
@Service
class RunChanges {

    private static final Logger log = LoggerFactory.getLogger(RunChanges.class);

    private final Runs views;
    private final RunRepository runs;
    private final RunLocks locks;
    private final RunEvents runEvents;
    private final InitialModels initialModels;
    private final Projects projects;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunChanges(
            Runs views,
            RunRepository runs,
            RunLocks locks,
            RunEvents runEvents,
            InitialModels initialModels,
            Projects projects,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.views = views;
        this.runs = runs;
        this.locks = locks;
        this.runEvents = runEvents;
        this.initialModels = initialModels;
        this.projects = projects;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /** Changes the priority of a queued run or the tags of any run. */
    @Transactional
    RunView change(
            Caller.User caller, RunId id, RunController.RunPatch patch, @Nullable String ifMatch) {
        Run run = lock(caller, id);
        new Revision(run.revision()).require(ifMatch);
        if (patch.changesNothing()) {
            return views.view(run);
        }
        if (patch.priority() != null) {
            run.prioritize(patch.priority());
        }
        if (patch.tags() != null) {
            run.tag(new TreeSet<>(patch.tags()));
        }
        audit.note(
                caller,
                Change.of("run-changed", "run", id)
                        .in(run.projectId())
                        .with("priority", patch.priority())
                        .with("tags", patch.tags()));
        log.info("run changed: {} {} by {}", id, patch, caller.getName());
        runs.flush();
        return views.view(run);
    }

    @Transactional
    RunView cancel(Caller.User caller, RunId id) {
        Run run = lock(caller, id);
        if (run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and cannot be canceled".formatted(id, run.state()));
        }
        run.cancel(clock.instant());
        audit.note(caller, Change.of("run-cancelled", "run", id).in(run.projectId()));
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.info("run canceled: {} by {}", id, caller.getName());
        events.publishEvent(RunEnded.of(run));
        return views.view(run);
    }

    /**
     * Deletes a run with its model.
     *
     * @throws Problem {@code illegal-state} if it has not ended, or another run begins with its
     *     model
     */
    @Transactional
    void remove(Caller.User caller, RunId id) {
        Run run = lock(caller, id);
        if (!run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s: cancel it before you remove it".formatted(id, run.state()));
        }
        initialModels.requireUnneeded(id);
        runs.delete(run);
        events.publishEvent(new ModelRemoved(id));
        audit.note(
                caller,
                Change.of("run-removed", "run", id)
                        .in(run.projectId())
                        .with("experiment", run.experimentName()));
        log.info("run removed: {} by {}", id, caller.getName());
    }

    /**
     * Locks a run that the caller may change until the transaction ends. The run is not read before
     * it is locked: a change by a rank's report in between would reject the caller's change.
     */
    private Run lock(Caller.User caller, RunId id) {
        UUID project =
                runs.findProject(id.value())
                        .filter(caller::maySee)
                        .orElseThrow(() -> Problem.notFound("run", id));
        projects.require(caller, Role.EDITOR, project);
        return locks.lock(id);
    }
}
