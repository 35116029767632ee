package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
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
    private final RunSearch search;
    private final RunEvents runEvents;
    private final InitialModels initialModels;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunChanges(
            Runs views,
            RunRepository runs,
            RunLocks locks,
            RunSearch search,
            RunEvents runEvents,
            InitialModels initialModels,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.views = views;
        this.runs = runs;
        this.locks = locks;
        this.search = search;
        this.runEvents = runEvents;
        this.initialModels = initialModels;
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
        cancel(caller, run);
        return views.view(run);
    }

    private void cancel(Caller.User caller, Run run) {
        RunId id = RunId.of(run.id());
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
    }

    /**
     * Deletes a run with its model.
     *
     * @throws Problem {@code illegal-state} if it has not ended, or another run begins with its
     *     model
     */
    @Transactional
    void remove(Caller.User caller, RunId id) {
        remove(caller, lock(caller, id));
    }

    private void remove(Caller.User caller, Run run) {
        RunId id = RunId.of(run.id());
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
     * Cancels one of several runs, in a transaction of its own unless the request has one.
     *
     * @param condition that the run must still fulfill; null for none
     * @return what happened; a rejection is part of it, and leaves the run unchanged
     */
    @RetryOnConflict
    @Transactional
    RunBatches.ChangedRun tryCancel(Caller.User caller, RunId id, @Nullable Condition condition) {
        return attempt(caller, id, condition, run -> cancel(caller, run));
    }

    /** Deletes one of several runs, as {@link #tryCancel} cancels one. */
    @RetryOnConflict
    @Transactional
    RunBatches.ChangedRun tryRemove(Caller.User caller, RunId id, @Nullable Condition condition) {
        return attempt(caller, id, condition, run -> remove(caller, run));
    }

    /** Rejections come before any change, and pass no other transactional method. */
    private RunBatches.ChangedRun attempt(
            Caller.User caller, RunId id, @Nullable Condition condition, Consumer<Run> change) {
        try {
            Run run = lock(caller, id);
            if (condition != null && !search.matches(run.id(), condition)) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "Run %s has changed and no longer fulfills the filter".formatted(id));
            }
            change.accept(run);
            return RunBatches.ChangedRun.done(id);
        } catch (Problem rejection) {
            return RunBatches.ChangedRun.rejected(id, rejection);
        }
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
        caller.require(Role.EDITOR, project);
        return locks.lock(id);
    }
}
