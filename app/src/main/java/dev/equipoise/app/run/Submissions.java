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
import dev.equipoise.app.queue.WorkloadKey;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
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
    private final WorkloadKey workloadKey;
    private final VersionLabels versionLabels;
    private final Experiments experiments;
    private final Projects projects;
    private final Audit audit;
    private final Clock clock;

    Submissions(
            Runs views,
            RunRepository runs,
            RunEvents runEvents,
            SubmissionChecks checks,
            WorkloadKey workloadKey,
            VersionLabels versionLabels,
            Experiments experiments,
            Projects projects,
            Audit audit,
            Clock clock) {
        this.views = views;
        this.runs = runs;
        this.runEvents = runEvents;
        this.checks = checks;
        this.workloadKey = workloadKey;
        this.versionLabels = versionLabels;
        this.experiments = experiments;
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
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
        List<String> labels = versionLabels.of(experiment);
        List<Run> queued = new ArrayList<>();
        for (int position : positions) {
            RunConfiguration configuration = experiment.configurations().get(position);
            checks.requireFeasible(outlook, configuration, experiment.project());
            var run =
                    new Run(
                            experiment,
                            position,
                            labels.get(position),
                            workloadKey.of(configuration),
                            outlook.notYet(configuration).orElse(WaitReason.NEW),
                            clock.instant());
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

    /** Appends the wait reasons of runs that cannot start with all live workers. */
    private void appendReasons(List<Run> queued) {
        queued.stream()
                .filter(run -> run.waiting() != null && !run.waiting().equals(WaitReason.NEW))
                .forEach(run -> runEvents.append(run.id(), new RunEvent.Waits(run.waiting())));
    }
}
