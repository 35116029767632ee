package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.EpochResultRepository.Seen;
import dev.equipoise.app.run.RunSearch.Found;
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

/** What users read of runs. */
@Service
public class Runs {

    /** Of which is looked what they have learnt. */
    private static final int MOST_LEARNED = 500;

    private final RunRepository runs;
    private final RunSearch search;
    private final ReplicaRepository replicas;
    private final RankPredictionRepository predictions;
    private final EpochResultRepository results;
    private final Metrics metrics;
    private final QueuePlaces places;
    private final Projects projects;

    Runs(
            RunRepository runs,
            RunSearch search,
            ReplicaRepository replicas,
            RankPredictionRepository predictions,
            EpochResultRepository results,
            Metrics metrics,
            QueuePlaces places,
            Projects projects) {
        this.runs = runs;
        this.search = search;
        this.replicas = replicas;
        this.predictions = predictions;
        this.results = results;
        this.metrics = metrics;
        this.places = places;
        this.projects = projects;
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
                .orElseThrow(() -> Problem.notFound("run", id));
    }

    RunView view(Run run) {
        return RunView.of(
                run,
                Progress.of(replicas, List.of(run)).apply(run),
                places.of(List.of(run)).get(run.id()),
                replicas.findByKeyRunIdOrderByKeyRank(run.id()),
                predictions.findByKeyRunIdOrderByKeyRank(run.id()),
                results.findByKeyRunId(run.id()),
                metrics.dropped(run.id()));
    }

    List<RunSummary> summaries(List<Run> some) {
        Function<Run, Progress> progress = Progress.of(replicas, some);
        Map<UUID, QueuePlace> known = places.of(some);
        return some.stream()
                .map(run -> RunSummary.of(run, progress.apply(run), known.get(run.id())))
                .toList();
    }
}
