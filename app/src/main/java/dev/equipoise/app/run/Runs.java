package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.EpochResultRepository.Seen;
import dev.equipoise.app.run.ReplicaRepository.Slowest;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The runs as their users know them: submit, look, cancel. */
@Service
public class Runs {

    private static final Logger log = LoggerFactory.getLogger(Runs.class);

    /** Of which is looked what they have learnt. */
    private static final int MOST_LEARNED = 500;

    private final RunRepository runs;
    private final ReplicaRepository replicas;
    private final RankPredictionRepository predictions;
    private final EpochResultRepository results;
    private final Orders orders;
    private final Metrics metrics;
    private final RunEvents told;
    private final Experiments experiments;
    private final Projects projects;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Runs(
            RunRepository runs,
            ReplicaRepository replicas,
            RankPredictionRepository predictions,
            EpochResultRepository results,
            Orders orders,
            Metrics metrics,
            RunEvents told,
            Experiments experiments,
            Projects projects,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runs = runs;
        this.replicas = replicas;
        this.predictions = predictions;
        this.results = results;
        this.orders = orders;
        this.metrics = metrics;
        this.told = told;
        this.experiments = experiments;
        this.projects = projects;
        this.events = events;
        this.clock = clock;
    }

    /** One run for each configuration of the experiment, in its order. */
    @Transactional
    List<RunSummary> submit(Caller.User caller, UUID experimentId) {
        StoredExperiment experiment = experiments.find(caller, experimentId);
        List<Run> queued = new ArrayList<>();
        for (int position = 0; position < experiment.configurations().size(); position++) {
            orders.requireRepeatable(
                    experiment.configurations().get(position), experiment.project());
            queued.add(runs.save(new Run(experiment, position, clock.instant())));
        }
        runs.flush();
        told.tell(
                queued.stream().map(Run::id).toList(),
                RunState.QUEUED,
                new RunEvent.State(RunState.QUEUED));
        log.info("runs queued: {} of experiment {}", queued.size(), experiment.name());
        return summaries(queued);
    }

    @Transactional
    RunView cancel(Caller.User caller, RunId id) {
        require(caller, id);
        Run run = runs.findForUpdate(id.value()).orElseThrow(() -> notFound(id));
        if (run.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and cannot be cancelled".formatted(id, run.state()));
        }
        run.cancel(clock.instant());
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run cancelled: {} by {}", id, caller.getName());
        events.publishEvent(new RunEnded(id, run.state()));
        return view(run);
    }

    /**
     * Looks one up.
     *
     * @throws Problem {@code not-found}, also where it is another project's
     */
    @Transactional(readOnly = true)
    public RunView find(Caller.User caller, RunId id) {
        return view(require(caller, id));
    }

    /**
     * What the newest completed runs that the caller may see have learnt of the same data with the
     * same network.
     */
    @Transactional(readOnly = true)
    public List<Learned> learned(Caller.User caller, RunConfiguration like) {
        return learnedWithin(
                caller instanceof Caller.Member member ? member.project() : null, like);
    }

    /** The same of the newest completed runs of a project, or where it is null, of all. */
    @Transactional(readOnly = true)
    public List<Learned> learnedWithin(@Nullable UUID within, RunConfiguration like) {
        List<Run> alike =
                runs
                        .search(
                                within,
                                null,
                                EnumSet.of(RunState.COMPLETED),
                                Limit.of(MOST_LEARNED))
                        .stream()
                        .filter(it -> it.configuration().dataset().equals(like.dataset()))
                        .filter(it -> it.configuration().network().equals(like.network()))
                        .toList();
        Map<UUID, List<Seen>> seen =
                results.findSeen(alike.stream().map(Run::id).toList()).stream()
                        .collect(Collectors.groupingBy(Seen::run));
        return alike.stream()
                .map(run ->
                        new Learned(
                                run.configuration(),
                                seen.getOrDefault(run.id(), List.of()).stream()
                                        .map(it -> new Learned.Look(it.epoch(), it.accuracy()))
                                        .toList()))
                .toList();
    }

    @Transactional(readOnly = true)
    List<RunSummary> search(
            Caller.User caller,
            @Nullable UUID project,
            @Nullable UUID experiment,
            Set<RunState> states,
            int limit) {
        if (project != null) {
            projects.require(caller, project);
        }
        UUID within = caller instanceof Caller.Member member ? member.project() : project;
        return summaries(
                runs.search(
                        within,
                        experiment,
                        states.isEmpty() ? EnumSet.allOf(RunState.class) : states,
                        Limit.of(limit)));
    }

    /**
     * One that the caller may use.
     *
     * @throws Problem {@code not-found}, also where it is another project's
     */
    Run require(Caller.User caller, RunId id) {
        return runs.findById(id.value())
                .filter(run -> caller.mayUse(run.projectId()))
                .orElseThrow(() -> notFound(id));
    }

    private RunView view(Run run) {
        return RunView.of(
                run,
                progress(List.of(run)).apply(run),
                replicas.findByKeyRunIdOrderByKeyRank(run.id()),
                predictions.findByKeyRunIdOrderByKeyRank(run.id()),
                results.findByKeyRunId(run.id()),
                metrics.dropped(run.id()));
    }

    private List<RunSummary> summaries(List<Run> some) {
        Function<Run, Progress> progress = progress(some);
        return some.stream().map(run -> RunSummary.of(run, progress.apply(run))).toList();
    }

    /** One query, however many runs there are. */
    private Function<Run, Progress> progress(List<Run> some) {
        Map<UUID, Slowest> byRun =
                replicas.findSlowest(some.stream().map(Run::id).toList()).stream()
                        .collect(Collectors.toMap(Slowest::run, Function.identity()));
        return run -> {
            Slowest slowest = byRun.getOrDefault(run.id(), new Slowest(run.id(), 0, 0));
            return Progress.of(run, slowest.epoch(), slowest.round());
        };
    }

    private static Problem notFound(RunId id) {
        return Problem.notFound("run", id);
    }
}
