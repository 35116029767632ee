package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.app.checkpoint.Models.StoredModel;
import dev.equipoise.app.checkpoint.StoredPart;
import dev.equipoise.app.configuration.KeepModel;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Trained models for users: find, open, remove. */
@Service
class KeptModels {

    private static final Logger log = LoggerFactory.getLogger(KeptModels.class);

    private final Runs views;
    private final RunLocks locks;
    private final Models models;
    private final InitialModels initialModels;
    private final Projects projects;
    private final Audit audit;
    private final ApplicationEventPublisher events;

    KeptModels(
            Runs views,
            RunLocks locks,
            Models models,
            InitialModels initialModels,
            Projects projects,
            Audit audit,
            ApplicationEventPublisher events) {
        this.views = views;
        this.locks = locks;
        this.models = models;
        this.initialModels = initialModels;
        this.projects = projects;
        this.audit = audit;
        this.events = events;
    }

    /**
     * Returns the model of a run.
     *
     * @throws Problem {@code not-found} if there is no such run; {@code model-not-kept}, {@code
     *     model-not-yet} or {@code model-removed} if it has no model
     */
    @Transactional(readOnly = true)
    StoredModel find(Caller.User caller, RunId id) {
        return require(views.require(caller, id), models.find(id));
    }

    /** Opens the file of a model. Call it outside of any transaction, since it may take long. */
    StoredPart open(RunId run, StoredModel model) throws IOException {
        return models.open(run, model)
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.NOT_FOUND,
                                "The file of the model of run %s is missing: the log of the service names it"
                                        .formatted(run)));
    }

    /**
     * Removes the model of an ended run and keeps its figures.
     *
     * @throws Problem as {@link #find}, and {@code illegal-state} if the run has not ended, or
     *     another run begins with the model
     */
    @Transactional
    void remove(Caller.User caller, RunId id) {
        Run run = views.require(caller, id);
        projects.require(caller, Role.EDITOR, run.projectId());
        locks.touch(run);
        require(run, models.find(id));
        if (!run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s: cancel it before you remove its model"
                            .formatted(id, run.state()));
        }
        initialModels.requireUnneeded(id);
        models.remove(id);
        events.publishEvent(new ModelRemoved(id));
        audit.note(caller, Change.of("model-removed", "run", id).in(run.projectId()));
        log.info("model removed: run {} by {}", id, caller.getName());
    }

    /**
     * Returns the model of a run if it has one.
     *
     * @throws Problem with the reason why it has none
     */
    static StoredModel require(Run run, Optional<StoredModel> model) {
        return model.filter(it -> !it.isRemoved()).orElseThrow(() -> none(run, model.isPresent()));
    }

    private static Problem none(Run run, boolean wasRemoved) {
        KeepModel kept = run.configuration().instrumentation().keepModel();
        if (wasRemoved) {
            return Problem.of(
                    ErrorCode.MODEL_REMOVED,
                    "The model of run %s was removed; its figures are kept".formatted(run.id()));
        }
        if (kept == KeepModel.NONE) {
            return Problem.of(
                    ErrorCode.MODEL_NOT_KEPT,
                    "Run %s keeps no model: its definition says keepModel: none"
                            .formatted(run.id()));
        }
        if (!run.state().isTerminal()) {
            return Problem.of(
                    ErrorCode.MODEL_NOT_YET,
                    "Run %s is %s and has no model yet: %s"
                            .formatted(run.id(), run.state(), whenStored(kept)));
        }
        return Problem.of(
                ErrorCode.MODEL_NOT_KEPT,
                run.state() == RunState.COMPLETED
                        ? "Run %s is COMPLETED, but no model was stored: the run's log says why, unless an earlier version trained it"
                                .formatted(run.id())
                        : "Run %s is %s and ended before it had a model: %s"
                                .formatted(run.id(), run.state(), whenStored(kept)));
    }

    private static String whenStored(KeepModel kept) {
        return kept == KeepModel.BEST
                ? "keepModel: best stores one after each evaluation that is the best so far"
                : "keepModel: last stores it after the last epoch";
    }
}
