package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.configuration.Notes;
import dev.equipoise.app.configuration.NotesPatch;
import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Changes that editors make to runs: priority, tags, notes, cancel, remove. */
@Service
class RunChanges {

    private static final Logger log = LoggerFactory.getLogger(RunChanges.class);

    private final Runs views;
    private final RunRepository runs;
    private final EditableRuns editable;
    private final RunEvents runEvents;
    private final InitialModels initialModels;
    private final RunNotes notes;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunChanges(
            Runs views,
            RunRepository runs,
            EditableRuns editable,
            RunEvents runEvents,
            InitialModels initialModels,
            RunNotes notes,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.views = views;
        this.runs = runs;
        this.editable = editable;
        this.runEvents = runEvents;
        this.initialModels = initialModels;
        this.notes = notes;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /** Changes the priority of a queued run, or the tags or the notes of any run. */
    @Transactional
    RunView change(
            Caller.User caller, RunId id, RunController.RunPatch patch, @Nullable String ifMatch) {
        Run run = editable.lock(caller, id);
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
        String noted = note(caller, run, patch.notes());
        audit.note(
                caller,
                Change.of("run-changed", "run", id)
                        .in(run.projectId())
                        .with("priority", patch.priority())
                        .with("tags", patch.tags())
                        .with("notes", noted));
        log.info(
                "run changed: {} priority {}, tags {}, notes {} by {}",
                id,
                patch.priority(),
                patch.tags(),
                noted,
                caller.getName());
        runs.flush();
        return views.view(run);
    }

    /** Writes or deletes notes; returns what was done, or null if the patch keeps them. */
    private @Nullable String note(Caller.User caller, Run run, @Nullable NotesPatch patch) {
        if (patch == null) {
            return null;
        }
        String text = patch.text();
        if (text == null) {
            notes.delete(run);
            return "deleted";
        }
        notes.write(run, new Notes(text, caller.getName(), clock.instant()));
        return "written";
    }

    @Transactional
    RunView cancel(Caller.User caller, RunId id) {
        Run run = editable.lock(caller, id);
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
        remove(caller, editable.lock(caller, id));
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
            change.accept(editable.lock(caller, id, condition));
            return RunBatches.ChangedRun.done(id);
        } catch (Problem rejection) {
            return RunBatches.ChangedRun.rejected(id, rejection);
        }
    }
}
