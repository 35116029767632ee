package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
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

/** Puts runs into the queue, as long as their project has room for them. */
@Service
class Submissions {

    private static final Logger log = LoggerFactory.getLogger(Submissions.class);

    private final Runs known;
    private final RunRepository runs;
    private final RunEvents told;
    private final Orders orders;
    private final Prospects prospects;
    private final Quotas quotas;
    private final Likeness likeness;
    private final Experiments experiments;
    private final Projects projects;
    private final Audit audit;
    private final Clock clock;

    Submissions(
            Runs known,
            RunRepository runs,
            RunEvents told,
            Orders orders,
            Prospects prospects,
            Quotas quotas,
            Likeness likeness,
            Experiments experiments,
            Projects projects,
            Audit audit,
            Clock clock) {
        this.known = known;
        this.runs = runs;
        this.told = told;
        this.orders = orders;
        this.prospects = prospects;
        this.quotas = quotas;
        this.likeness = likeness;
        this.experiments = experiments;
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
    }

    /** One run for each configuration of the experiment, in its order. */
    @Transactional
    List<RunSummary> submit(Caller.User caller, UUID experimentId) {
        StoredExperiment experiment = experiments.find(caller, experimentId);
        List<Integer> all = IntStream.range(0, experiment.configurations().size()).boxed().toList();
        return submit(caller, experiment, all);
    }

    /** Queues the configuration of a run once more, as the version that it came from has it. */
    @Transactional
    RunSummary rerun(Caller.User caller, RunId id) {
        Run run = known.require(caller, id);
        StoredExperiment experiment =
                experiments.find(caller, run.experimentId(), run.experimentVersion());
        return submit(caller, experiment, List.of(run.position())).getFirst();
    }

    private List<RunSummary> submit(
            Caller.User caller, StoredExperiment experiment, List<Integer> positions) {
        projects.require(caller, Role.EDITOR, experiment.project());
        requireRoom(experiment.project(), positions.size());
        Prospects.Outlook outlook = prospects.of(experiment.project());
        List<Run> queued = new ArrayList<>();
        for (int position : positions) {
            RunConfiguration configuration = experiment.configurations().get(position);
            orders.requireRepeatable(configuration, experiment.project());
            requirePossible(outlook, configuration);
            queued.add(
                    runs.save(
                            new Run(
                                    experiment,
                                    position,
                                    likeness.of(configuration),
                                    outlook.notYet(configuration).orElse(Waiting.NEW),
                                    clock.instant())));
        }
        audit.note(
                caller,
                Change.of("runs-queued", "experiment", experiment.id())
                        .in(experiment.project())
                        .with("runs", queued.size()));
        runs.flush();
        told.tell(
                queued.stream().map(Run::id).toList(),
                RunState.QUEUED,
                new RunEvent.State(RunState.QUEUED));
        tellReasons(queued);
        log.info("runs queued: {} of experiment {}", queued.size(), experiment.name());
        return known.summaries(queued);
    }

    /** Of those that are known to wait in vain. */
    private void tellReasons(List<Run> queued) {
        queued.stream()
                .filter(run -> run.waiting() != null && !run.waiting().equals(Waiting.NEW))
                .forEach(run -> told.tell(run.id(), new RunEvent.Waits(run.waiting())));
    }

    private static void requirePossible(Prospects.Outlook outlook, RunConfiguration configuration) {
        List<Violation> violations = outlook.never(configuration);
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_DEFINITION, violations);
        }
    }

    /** Of two who submit at the same time one waits for the other where runs are counted. */
    private void requireRoom(UUID project, int more) {
        Integer most = quotas.of(project).queuedRuns();
        if (most != null) {
            requirePlaces(project, more, most);
        }
        quotas.requireRoom(project);
    }

    private void requirePlaces(UUID project, int more, int most) {
        runs.lockQueueOf(project.toString());
        long waiting = runs.countByProjectIdAndState(project, RunState.QUEUED);
        if (waiting + more > most) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may have %d runs that wait; it has %d, and these are %d more"
                            .formatted(most, waiting, more));
        }
    }
}
