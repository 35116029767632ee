package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.queue.FeasibilityCheck;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.protocol.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Queues runs within the quota of their project. */
@Service
class Submissions {

    private static final Logger log = LoggerFactory.getLogger(Submissions.class);

    private final Runs views;
    private final RunRepository runs;
    private final RunEvents runEvents;
    private final SubmissionChecks checks;
    private final NewRuns newRuns;
    private final Experiments experiments;
    private final Projects projects;
    private final Audit audit;

    Submissions(
            Runs views,
            RunRepository runs,
            RunEvents runEvents,
            SubmissionChecks checks,
            NewRuns newRuns,
            Experiments experiments,
            Projects projects,
            Audit audit) {
        this.views = views;
        this.runs = runs;
        this.runEvents = runEvents;
        this.checks = checks;
        this.newRuns = newRuns;
        this.experiments = experiments;
        this.projects = projects;
        this.audit = audit;
    }

    /** Queues one run for each configuration of an experiment, in their order. */
    @Transactional
    List<RunSummary> submit(Caller.User caller, UUID experimentId) {
        StoredExperiment experiment = experiments.find(caller, experimentId);
        List<Integer> all = IntStream.range(0, experiment.configurations().size()).boxed().toList();
        return submit(caller, experiment, all);
    }

    /**
     * Queues the configuration of a run once more, from the version of the experiment that it came
     * from.
     */
    @Transactional
    RunSummary rerun(Caller.User caller, RunId id) {
        Run run = views.require(caller, id);
        StoredExperiment experiment =
                experiments.find(caller, run.experimentId(), run.experimentVersion());
        return submit(caller, experiment, List.of(run.position())).getFirst();
    }

    private List<RunSummary> submit(
            Caller.User caller, StoredExperiment experiment, List<Integer> positions) {
        projects.require(caller, Role.EDITOR, experiment.project());
        checks.requireRoom();
        checks.requireQuota(experiment.project(), positions.size());
        FeasibilityCheck.Outlook outlook = checks.outlook(experiment.project());
        List<Run> queued = new ArrayList<>();
        for (Run run : newRuns.of(experiment, positions, it -> reason(outlook, it, experiment))) {
            RunConfiguration configuration = run.configuration();
            run.choose(checks.resolve(configuration, experiment.project()));
            queued.add(runs.save(run));
        }
        audit.note(
                caller,
                Change.of("runs-queued", "experiment", experiment.id())
                        .in(experiment.project())
                        .with("runs", queued.size()));
        runs.flush();
        runEvents.append(
                queued.stream().map(Run::id).toList(), new RunEvent.State(RunState.QUEUED));
        appendReasons(queued);
        log.info("runs queued: {} of experiment {}", queued.size(), experiment.name());
        return views.summaries(queued);
    }

    private WaitReason reason(
            FeasibilityCheck.Outlook outlook,
            RunConfiguration configuration,
            StoredExperiment experiment) {
        checks.requireFeasible(outlook, configuration, experiment.project());
        return outlook.notYet(configuration).orElse(WaitReason.NEW);
    }

    /** Appends the wait reasons of runs that cannot start with all live workers. */
    private void appendReasons(List<Run> queued) {
        queued.stream()
                .filter(run -> run.waiting() != null && !run.waiting().equals(WaitReason.NEW))
                .forEach(run -> runEvents.append(run.id(), new RunEvent.Waits(run.waiting())));
    }
}
