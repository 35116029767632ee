package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.prediction.AccuracyHistory;
import dev.equipoise.app.prediction.AccuracyHistory.AccuracyPoint;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.queue.QueuePositions;
import dev.equipoise.app.run.RunSearch.Found;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.EpochStore.TestAccuracy;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads runs for users. */
@Service
public class Runs {

    /** Limit of the completed runs whose test accuracies are read. */
    private static final int MAX_HISTORIES = 500;

    private final RunRepository runs;
    private final RunSearch search;
    private final RunRankRepository runRanks;
    private final RunViews views;
    private final EpochStore epochs;
    private final QueuePositions positions;
    private final Projects projects;

    Runs(
            RunRepository runs,
            RunSearch search,
            RunRankRepository runRanks,
            RunViews views,
            EpochStore epochs,
            QueuePositions positions,
            Projects projects) {
        this.runs = runs;
        this.search = search;
        this.runRanks = runRanks;
        this.views = views;
        this.epochs = epochs;
        this.positions = positions;
        this.projects = projects;
    }

    /**
     * Returns a run with all its figures.
     *
     * @throws Problem {@code not-found}, also for a run of another project
     */
    @Transactional(readOnly = true)
    public RunView find(Caller.User caller, RunId id) {
        return view(require(caller, id));
    }

    /**
     * Returns the test accuracies of the newest completed runs, of those that the caller may see,
     * with the same dataset, network and initial model.
     */
    @Transactional(readOnly = true)
    public List<AccuracyHistory> learned(Caller.User caller, RunConfiguration like) {
        return learned(caller.access().visible(), like);
    }

    /**
     * Returns the test accuracies of the newest completed runs of a project with the same dataset,
     * network and initial model.
     */
    @Transactional(readOnly = true)
    public List<AccuracyHistory> learnedWithin(UUID project, RunConfiguration like) {
        return learned(Optional.of(Set.of(project)), like);
    }

    private List<AccuracyHistory> learned(Optional<Set<UUID>> projects, RunConfiguration like) {
        List<Run> alike =
                runs
                        .findNewest(
                                projects.isEmpty(),
                                projects.orElse(Set.of()),
                                RunState.COMPLETED,
                                Limit.of(MAX_HISTORIES))
                        .stream()
                        .filter(it -> it.configuration().dataset().equals(like.dataset()))
                        .filter(it -> it.configuration().network().equals(like.network()))
                        .filter(it -> source(it.configuration()).equals(source(like)))
                        .toList();
        Map<UUID, List<TestAccuracy>> accuracies =
                accuracies(alike, like.instrumentation().evaluation().compared()).stream()
                        .collect(Collectors.groupingBy(TestAccuracy::run));
        return alike.stream()
                .map(run ->
                        new AccuracyHistory(
                                run.configuration(),
                                accuracies.getOrDefault(run.id(), List.of()).stream()
                                        .map(it -> new AccuracyPoint(it.epoch(), it.accuracy()))
                                        .toList()))
                .toList();
    }

    /** Returns the run with whose model a run begins. A definition may leave its digest out. */
    private static Optional<RunId> source(RunConfiguration configuration) {
        return configuration.initial().map(Workload.Initial::run);
    }

    private List<TestAccuracy> accuracies(List<Run> alike, ComparedAccuracy compared) {
        List<UUID> ids = alike.stream().map(Run::id).toList();
        return switch (compared) {
            case MEAN -> epochs.testAccuracies(ids);
            case REPLICAS -> epochs.replicaAccuracies(ids);
        };
    }

    @Transactional(readOnly = true)
    RunController.RunList search(
            Caller.User caller,
            RunSearch.Filter filter,
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
     * Returns a run that the caller may see.
     *
     * @throws Problem {@code not-found}, also for a run of another project
     */
    Run require(Caller.User caller, RunId id) {
        return runs.findById(id.value())
                .filter(run -> caller.maySee(run.projectId()))
                .orElseThrow(() -> Problem.notFound("run", id));
    }

    /**
     * Returns a run that the caller may see, for readers of its telemetry.
     *
     * @throws Problem {@code not-found}, also for a run of another project
     */
    public RunSnapshot snapshot(Caller.User caller, RunId id) {
        return RunSnapshot.of(require(caller, id));
    }

    /** Returns the names of the workers of a run by rank; none before it is placed. */
    public List<String> workerNames(RunId id) {
        return runRanks.findByKeyRunIdOrderByKeyRank(id.value()).stream()
                .map(RunRank::workerName)
                .toList();
    }

    RunView view(Run run) {
        return views.of(run, positions.of(queued(List.of(run))).get(run.id()));
    }

    private static List<UUID> queued(List<Run> some) {
        return some.stream().filter(run -> run.state() == RunState.QUEUED).map(Run::id).toList();
    }

    List<RunSummary> summaries(List<Run> some) {
        Function<Run, Progress> progress = Progress.of(runRanks, some);
        Map<UUID, QueuePosition> queue = positions.of(queued(some));
        return some.stream()
                .map(run -> RunSummary.of(run, progress.apply(run), queue.get(run.id())))
                .toList();
    }
}
