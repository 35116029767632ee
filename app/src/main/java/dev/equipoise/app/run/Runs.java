package dev.equipoise.app.run;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Quota;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.app.run.EpochResultRepository.Seen;
import dev.equipoise.app.run.RunSearch.Found;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    private final RunSearch search;
    private final ReplicaRepository replicas;
    private final RankPredictionRepository predictions;
    private final EpochResultRepository results;
    private final Orders orders;
    private final Metrics metrics;
    private final RunEvents told;
    private final QueuePlaces places;
    private final Prospects prospects;
    private final Quotas quotas;
    private final StoredFigures figures;
    private final Likeness likeness;
    private final Experiments experiments;
    private final Projects projects;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Runs(
            RunRepository runs,
            RunSearch search,
            ReplicaRepository replicas,
            RankPredictionRepository predictions,
            EpochResultRepository results,
            Orders orders,
            Metrics metrics,
            RunEvents told,
            QueuePlaces places,
            Prospects prospects,
            Quotas quotas,
            StoredFigures figures,
            Likeness likeness,
            Experiments experiments,
            Projects projects,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runs = runs;
        this.search = search;
        this.replicas = replicas;
        this.predictions = predictions;
        this.results = results;
        this.orders = orders;
        this.metrics = metrics;
        this.told = told;
        this.places = places;
        this.prospects = prospects;
        this.quotas = quotas;
        this.figures = figures;
        this.likeness = likeness;
        this.experiments = experiments;
        this.projects = projects;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /** One run for each configuration of the experiment, in its order. */
    @Transactional
    List<RunSummary> submit(Caller.User caller, UUID experimentId) {
        StoredExperiment experiment = experiments.find(caller, experimentId);
        List<Integer> all = IntStream.range(0, experiment.configurations().size()).boxed().toList();
        return submit(caller, experiment, all);
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
        return summaries(queued);
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
        return view(run);
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
        Quota quota = quotas.of(project);
        if (quota.queuedRuns() != null) {
            requirePlaces(project, more, quota.queuedRuns());
        }
        if (quota.storedBytes() != null) {
            requireBytes(project, quota.storedBytes());
        }
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

    /** What runs that are under way will store is not known: they end as they are. */
    private void requireBytes(UUID project, long most) {
        long stored = figures.bytes(project).values().stream().mapToLong(Long::longValue).sum();
        if (stored >= most) {
            throw Problem.of(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The project may store %d bytes, and its runs have stored %d: remove some"
                            .formatted(most, stored));
        }
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
        return view(run);
    }

    /** Queues the configuration of a run once more, as its experiment has it. */
    @Transactional
    RunSummary rerun(Caller.User caller, RunId id) {
        Run run = require(caller, id);
        StoredExperiment experiment = experiments.find(caller, run.experimentId());
        return submit(caller, experiment, List.of(run.position())).getFirst();
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

    /** One that the caller may change, kept from others until the transaction ends. */
    private Run hold(Caller.User caller, RunId id) {
        projects.require(caller, Role.EDITOR, require(caller, id).projectId());
        return runs.findForUpdate(id.value()).orElseThrow(() -> notFound(id));
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
        return learned(caller.access().visible(), like);
    }

    /** The same of the newest completed runs of a project. */
    @Transactional(readOnly = true)
    public List<Learned> learnedWithin(UUID project, RunConfiguration like) {
        return learned(Optional.of(Set.of(project)), like);
    }

    private List<Learned> learned(Optional<Set<UUID>> projects, RunConfiguration like) {
        List<Run> alike =
                runs
                        .findNewest(
                                projects.isEmpty(),
                                projects.orElse(Set.of()),
                                RunState.COMPLETED,
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
    RunController.RunList search(
            Caller.User caller,
            RunFilter filter,
            RunOrder order,
            @Nullable String cursor,
            int limit) {
        if (filter.project() != null) {
            projects.require(caller, filter.project());
        }
        List<Found> page = search.find(caller.access().visible(), filter, order, cursor, limit);
        Map<UUID, Run> found =
                runs.findAllById(page.stream().map(Found::id).toList()).stream()
                        .collect(Collectors.toMap(Run::id, Function.identity()));
        return new RunController.RunList(
                summaries(
                        page.stream()
                                .map(it -> Objects.requireNonNull(found.get(it.id())))
                                .toList()),
                Cursor.next(page, limit, it -> it.cursor(order)));
    }

    /**
     * One that the caller may use.
     *
     * @throws Problem {@code not-found}, also where it is another project's
     */
    Run require(Caller.User caller, RunId id) {
        return runs.findById(id.value())
                .filter(run -> caller.maySee(run.projectId()))
                .orElseThrow(() -> notFound(id));
    }

    private RunView view(Run run) {
        return RunView.of(
                run,
                Progress.of(replicas, List.of(run)).apply(run),
                places.of(List.of(run)).get(run.id()),
                replicas.findByKeyRunIdOrderByKeyRank(run.id()),
                predictions.findByKeyRunIdOrderByKeyRank(run.id()),
                results.findByKeyRunId(run.id()),
                metrics.dropped(run.id()));
    }

    private List<RunSummary> summaries(List<Run> some) {
        Function<Run, Progress> progress = Progress.of(replicas, some);
        Map<UUID, QueuePlace> known = places.of(some);
        return some.stream()
                .map(run -> RunSummary.of(run, progress.apply(run), known.get(run.id())))
                .toList();
    }

    private static Problem notFound(RunId id) {
        return Problem.notFound("run", id);
    }
}
