package dev.equipoise.app.experiment;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** The experiments of the projects. */
@Service
public class Experiments {

    private final ExperimentRepository experiments;
    private final Projects projects;
    private final Audit audit;
    private final Clock clock;

    Experiments(ExperimentRepository experiments, Projects projects, Audit audit, Clock clock) {
        this.experiments = experiments;
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * A definition whose name the project knows already becomes its next version.
     *
     * @throws Problem {@code invalid-definition} with everything that is wrong
     */
    @Transactional
    public StoredExperiment define(Caller.User caller, UUID project, JsonNode source) {
        projects.require(caller, Role.EDITOR, project);
        Definition definition = Definition.read(source);
        int revision =
                experiments
                        .findFirstByProjectIdAndNameOrderByRevisionDesc(project, definition.name())
                        .map(last -> last.revision() + 1)
                        .orElse(1);
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
     * Looks one up.
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

    @Transactional(readOnly = true)
    List<ExperimentSummary> of(Caller.User caller, UUID project, Newest after, int limit) {
        projects.require(caller, project);
        return experiments.findNewest(project, after.at(), after.id(), Limit.of(limit));
    }
}
