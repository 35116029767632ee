package dev.equipoise.app.experiment;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.configuration.Notes;
import dev.equipoise.app.configuration.NotesPatch;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** Manages the experiments of projects. */
@Service
public class Experiments {

    private final ExperimentRepository experiments;
    private final EarlierVersionRepository earlier;
    private final RunCount runs;
    private final Projects projects;
    private final Quotas quotas;
    private final Audit audit;
    private final Clock clock;

    Experiments(
            ExperimentRepository experiments,
            EarlierVersionRepository earlier,
            RunCount runs,
            Projects projects,
            Quotas quotas,
            Audit audit,
            Clock clock) {
        this.experiments = experiments;
        this.earlier = earlier;
        this.runs = runs;
        this.projects = projects;
        this.quotas = quotas;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Stores a definition. A name that the project already has makes it the next version.
     *
     * @throws Problem {@code invalid-definition} with all violations, {@code quota-exceeded} if the
     *     project has reached its storage quota
     */
    @Transactional
    public StoredExperiment define(Caller.User caller, UUID project, JsonNode source) {
        projects.require(caller, Role.EDITOR, project);
        Definition definition = Definition.read(source);
        quotas.requireRoom(project);
        int revision = next(project, definition.name());
        StoredExperiment defined = insert(project, definition, revision);
        audit.note(
                caller,
                Change.of("experiment-defined", "experiment", defined.id())
                        .in(project)
                        .with("name", defined.name())
                        .with("revision", revision));
        return defined;
    }

    private StoredExperiment insert(UUID project, Definition definition, int revision) {
        return experiments
                .saveAndFlush(new Experiment(project, definition, revision, clock.instant()))
                .snapshot();
    }

    /**
     * Replaces the definition of an experiment for runs that are queued from now on. An equal
     * definition changes nothing.
     *
     * @throws Problem {@code invalid-definition} with all violations, {@code precondition-failed}
     *     if the caller has not seen the latest version, {@code quota-exceeded} if the project has
     *     reached its storage quota
     */
    @Transactional
    StoredExperiment redefine(
            Caller.User caller, UUID id, JsonNode source, @Nullable String ifMatch) {
        Experiment experiment = lock(caller, id);
        StoredExperiment before = experiment.snapshot();
        Definition definition = Definition.read(source);
        requireName(before.name(), definition);
        // Also if the caller has seen an older version: a response may have been lost.
        if (isEqual(definition, before)) {
            return before;
        }
        new Revision(before.revision()).require(ifMatch);
        quotas.requireRoom(before.project());
        int revision = next(before.project(), before.name());
        earlier.save(new ExperimentVersion(before));
        experiment.redefine(definition, revision, clock.instant());
        experiments.flush();
        audit.note(
                caller,
                Change.of("experiment-redefined", "experiment", id)
                        .in(before.project())
                        .with("name", before.name())
                        .with("from", before.version())
                        .with("to", revision));
        return experiment.snapshot();
    }

    /** Compares meaning instead of text: the database stores 1e3 as 1000. */
    private static boolean isEqual(Definition definition, StoredExperiment stored) {
        return definition.priority() == stored.priority()
                && definition.configurations().equals(stored.configurations());
    }

    /** Requires the same name, by which versions are counted and runs are found. */
    private static void requireName(String name, Definition definition) {
        if (!definition.name().equals(name)) {
            throw Problem.of(
                    ErrorCode.INVALID_DEFINITION,
                    List.of(
                            new Violation(
                                    "/name",
                                    "must stay %s: create another experiment for another name"
                                            .formatted(name),
                                    definition.name())));
        }
    }

    /**
     * Replaces or deletes the notes, which belong to all versions.
     *
     * @param patch null to change nothing
     * @throws Problem {@code precondition-failed} if the caller has not seen the latest revision
     */
    @Transactional
    StoredExperiment change(
            Caller.User caller, UUID id, @Nullable NotesPatch patch, @Nullable String ifMatch) {
        Experiment experiment = lock(caller, id);
        StoredExperiment before = experiment.snapshot();
        new Revision(before.revision()).require(ifMatch);
        if (patch == null) {
            return before;
        }
        String text = patch.text();
        experiment.note(text == null ? null : new Notes(text, caller.getName(), clock.instant()));
        experiments.flush();
        audit.note(
                caller,
                Change.of("experiment-changed", "experiment", id)
                        .in(before.project())
                        .with("name", before.name())
                        .with("notes", text == null ? "deleted" : "written"));
        return experiment.snapshot();
    }

    private int next(UUID project, String name) {
        return experiments
                .findFirstByProjectIdAndNameOrderByRevisionDesc(project, name)
                .map(last -> last.revision() + 1)
                .orElse(1);
    }

    /**
     * Removes an experiment and all its versions. An experiment with runs stays, even if they have
     * ended: they must be removed one by one, so that no figures are lost by accident.
     *
     * @throws Problem {@code has-runs}
     */
    @Transactional
    void remove(Caller.User caller, UUID id) {
        Experiment experiment = lock(caller, id);
        StoredExperiment before = experiment.snapshot();
        requireNoRuns(id);
        experiments.delete(experiment);
        experiments.flush();
        audit.note(
                caller,
                Change.of("experiment-removed", "experiment", id)
                        .in(before.project())
                        .with("name", before.name())
                        .with("version", before.version()));
    }

    private void requireNoRuns(UUID id) {
        long count = runs.of(id);
        if (count > 0) {
            throw Problem.of(
                    ErrorCode.HAS_RUNS,
                    "Experiment %s has %d runs: remove them first".formatted(id, count));
        }
    }

    /** Locks an experiment that the caller may change until the transaction ends. */
    private Experiment lock(Caller.User caller, UUID id) {
        projects.require(caller, Role.EDITOR, find(caller, id).project());
        return experiments.findForUpdate(id).orElseThrow(() -> Problem.notFound("experiment", id));
    }

    /**
     * Finds an experiment at its latest version.
     *
     * @throws Problem {@code not-found}, also for an experiment of a hidden project
     */
    @Transactional(readOnly = true)
    public StoredExperiment find(Caller.User caller, UUID id) {
        return experiments
                .findById(id)
                .map(Experiment::snapshot)
                .filter(experiment -> caller.maySee(experiment.project()))
                .orElseThrow(() -> Problem.notFound("experiment", id));
    }

    /**
     * Finds an experiment at a version.
     *
     * @param version null for the latest
     * @throws Problem {@code not-found}, also for an experiment of a hidden project
     */
    @Transactional(readOnly = true)
    public StoredExperiment find(Caller.User caller, UUID id, @Nullable Integer version) {
        StoredExperiment newest = find(caller, id);
        return version == null
                ? newest
                : findVersion(id, version)
                        .orElseThrow(() ->
                                Problem.notFound(
                                        "version %d of experiment".formatted(version), id));
    }

    /** Finds a version for the service itself, which sees all projects. */
    @Transactional(readOnly = true)
    public Optional<StoredExperiment> findVersion(UUID id, int version) {
        return experiments
                .findById(id)
                .map(Experiment::snapshot)
                .flatMap(newest ->
                        newest.version() == version
                                ? Optional.of(newest)
                                : earlier.findByExperimentIdAndRevision(id, version)
                                        .map(it -> it.of(newest)));
    }

    /** Finds the definition of a version, without its configurations, as they may be many. */
    @Transactional(readOnly = true)
    public Optional<JsonNode> findDefinition(UUID id, int version) {
        return experiments
                .findDefinition(id, version)
                .or(() -> earlier.findDefinition(id, version));
    }

    @Transactional(readOnly = true)
    List<ExperimentSummary> of(Caller.User caller, UUID project, NewestFirstKey after, int limit) {
        projects.require(caller, project);
        return experiments.findNewest(project, after.at(), after.id(), Limit.of(limit));
    }
}
