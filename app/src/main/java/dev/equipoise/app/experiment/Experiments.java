package dev.equipoise.app.experiment;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** The experiments of the projects. */
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
     * A definition whose name the project knows already becomes its next version.
     *
     * @throws Problem {@code invalid-definition} with everything that is wrong, {@code
     *     quota-exceeded} where the project stores as much as it may
     */
    @Transactional
    public StoredExperiment define(Caller.User caller, UUID project, JsonNode source) {
        projects.require(caller, Role.EDITOR, project);
        Definition definition = Definition.read(source);
        quotas.requireRoom(project);
        int revision = next(project, definition.name());
        StoredExperiment defined =
                experiments
                        .saveAndFlush(
                                new Experiment(project, definition, revision, clock.instant()))
                        .snapshot();
        audit.note(
                caller,
                Change.of("experiment-defined", "experiment", defined.id())
                        .in(project)
                        .with("name", defined.name())
                        .with("revision", revision));
        return defined;
    }

    /**
     * Gives an experiment another definition, of which the runs are that are queued from now on.
     * The same definition again changes nothing.
     *
     * @throws Problem {@code invalid-definition} with everything that is wrong, {@code
     *     precondition-failed} where the caller has not seen the newest version, {@code
     *     quota-exceeded} where the project stores as much as it may
     */
    @Transactional
    StoredExperiment redefine(
            Caller.User caller, UUID id, JsonNode source, @Nullable String ifMatch) {
        Experiment experiment = hold(caller, id);
        StoredExperiment before = experiment.snapshot();
        Definition definition = Definition.read(source);
        requireName(before.name(), definition);
        // Also where the version that the caller has seen is older: an answer may have been lost.
        if (means(definition, before)) {
            return before;
        }
        new Revision(before.version()).require(ifMatch);
        quotas.requireRoom(before.project());
        int revision = next(before.project(), before.name());
        earlier.save(new EarlierVersion(before));
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

    /** However it is written: the database keeps 1e3 as 1000. */
    private static boolean means(Definition definition, StoredExperiment stored) {
        return definition.priority() == stored.priority()
                && definition.configurations().equals(stored.configurations());
    }

    /** By its name its versions are counted, and its runs are found. */
    private static void requireName(String name, Definition definition) {
        if (!definition.name().equals(name)) {
            throw Problem.of(
                    ErrorCode.INVALID_DEFINITION,
                    List.of(
                            new Violation(
                                    "/name",
                                    "must stay %s: another name is another experiment"
                                            .formatted(name),
                                    definition.name())));
        }
    }

    private int next(UUID project, String name) {
        return experiments
                .findFirstByProjectIdAndNameOrderByRevisionDesc(project, name)
                .map(last -> last.revision() + 1)
                .orElse(1);
    }

    /**
     * Forgets an experiment with all its versions. One that has runs stays, also where they are
     * over: they are removed one by one, so that nobody loses figures by a word about something
     * else.
     *
     * @throws Problem {@code has-runs}
     */
    @Transactional
    void remove(Caller.User caller, UUID id) {
        Experiment experiment = hold(caller, id);
        StoredExperiment before = experiment.snapshot();
        long count = runs.of(id);
        if (count > 0) {
            throw Problem.of(
                    ErrorCode.HAS_RUNS,
                    "Experiment %s has %d runs: remove them before it".formatted(id, count));
        }
        experiments.delete(experiment);
        experiments.flush();
        audit.note(
                caller,
                Change.of("experiment-removed", "experiment", id)
                        .in(before.project())
                        .with("name", before.name())
                        .with("version", before.version()));
    }

    /** One that the caller may change, kept from others until the transaction ends. */
    private Experiment hold(Caller.User caller, UUID id) {
        projects.require(caller, Role.EDITOR, find(caller, id).project());
        return experiments.findForUpdate(id).orElseThrow(() -> Problem.notFound("experiment", id));
    }

    /**
     * Looks one up, at its newest version.
     *
     * @throws Problem {@code not-found}, also where it is another project's
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
     * Looks one up as it was at a version of it.
     *
     * @param version null for the newest
     * @throws Problem {@code not-found}, also where it is another project's
     */
    @Transactional(readOnly = true)
    public StoredExperiment find(Caller.User caller, UUID id, @Nullable Integer version) {
        StoredExperiment newest = find(caller, id);
        if (version == null || version == newest.version()) {
            return newest;
        }
        return earlier.findByExperimentIdAndRevision(id, version)
                .map(it -> it.of(newest))
                .orElseThrow(
                        () -> Problem.notFound("version %d of experiment".formatted(version), id));
    }

    @Transactional(readOnly = true)
    List<ExperimentSummary> of(Caller.User caller, UUID project, Newest after, int limit) {
        projects.require(caller, project);
        return experiments.findNewest(project, after.at(), after.id(), Limit.of(limit));
    }
}
