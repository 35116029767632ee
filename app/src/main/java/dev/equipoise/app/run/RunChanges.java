package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What editors do with runs that there are: give them another place or tags, cancel, remove. */
@Service
class RunChanges {

    private static final Logger log = LoggerFactory.getLogger(RunChanges.class);

    private final Runs known;
    private final RunRepository runs;
    private final RunEvents told;
    private final Projects projects;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunChanges(
            Runs known,
            RunRepository runs,
            RunEvents told,
            Projects projects,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.known = known;
        this.runs = runs;
        this.told = told;
        this.projects = projects;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /** Gives a run that waits another place among those of its project, or any run other tags. */
    @Transactional
    RunView change(
            Caller.User caller, RunId id, RunController.RunPatch patch, @Nullable String ifMatch) {
        if (patch.priority() == null && patch.tags() == null) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("", "must change the priority or the tags", null)));
        }
        Run run = hold(caller, id);
        new Revision(run.revision()).require(ifMatch);
        if (patch.priority() != null) {
            run.prioritise(patch.priority());
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
        return known.view(run);
    }

    @Transactional
    RunView cancel(Caller.User caller, RunId id) {
        Run run = hold(caller, id);
        if (run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and cannot be cancelled".formatted(id, run.state()));
        }
        run.cancel(clock.instant());
        audit.note(caller, Change.of("run-cancelled", "run", id).in(run.projectId()));
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run cancelled: {} by {}", id, caller.getName());
        events.publishEvent(RunEnded.of(run));
        return known.view(run);
    }

    /**
     * Forgets a run.
     *
     * @throws Problem {@code illegal-state} where it is not over
     */
    @Transactional
    void remove(Caller.User caller, RunId id) {
        Run run = hold(caller, id);
        if (!run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s: cancel it before it is removed".formatted(id, run.state()));
        }
        runs.delete(run);
        audit.note(
                caller,
                Change.of("run-removed", "run", id)
                        .in(run.projectId())
                        .with("experiment", run.experimentName()));
        log.info("run removed: {} by {}", id, caller.getName());
    }

    /**
     * One that the caller may change, kept from others until the transaction ends. It is not read
     * before it is held: what a rank's report changes in between would refuse the caller's change.
     */
    private Run hold(Caller.User caller, RunId id) {
        UUID project =
                runs.findProject(id.value())
                        .filter(caller::maySee)
                        .orElseThrow(() -> Problem.notFound("run", id));
        projects.require(caller, Role.EDITOR, project);
        Run run = runs.findForUpdate(id.value()).orElseThrow(() -> Problem.notFound("run", id));
        RunMarks.mark(run);
        return run;
    }
}
