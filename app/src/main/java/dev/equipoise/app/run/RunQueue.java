package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The runs that wait for workers, as who gives them these knows them. */
@Service
public class RunQueue {

    private static final Logger log = LoggerFactory.getLogger(RunQueue.class);

    /** PostgreSQL takes 65,535 parameters; those beyond are told the next time. */
    private static final int MOST_AT_ONCE = 10_000;

    private static final Set<RunState> UNDER_WAY =
            EnumSet.of(RunState.PLACED, RunState.PREPARING, RunState.RUNNING);

    private final RunRepository runs;
    private final ReplicaRepository replicas;
    private final Lengths lengths;
    private final QueuePlaces places;
    private final RunEvents told;
    private final Clock clock;

    RunQueue(
            RunRepository runs,
            ReplicaRepository replicas,
            Lengths lengths,
            QueuePlaces places,
            RunEvents told,
            Clock clock) {
        this.runs = runs;
        this.replicas = replicas;
        this.lengths = lengths;
        this.places = places;
        this.told = told;
        this.clock = clock;
    }

    /**
     * A run that waits for its workers.
     *
     * @param priority among the runs of its project
     * @param waiting the reason that was last noted
     * @param length from its placement to its end, as those like it took; null where there were
     *     none
     * @param interruption that it had workers before; null where it had none
     */
    public record Queued(
            RunId id,
            UUID project,
            RunConfiguration configuration,
            int priority,
            @Nullable Waiting waiting,
            @Nullable Duration length,
            Instant queuedAt,
            @Nullable Interruption interruption) {

        /** Since when it waits without a break. */
        public Instant waitingSince() {
            return interruption == null ? queuedAt : interruption.at();
        }

        /** Whether its workers have failed it, and it waits since before a moment. */
        public boolean isSetBackBefore(Instant moment) {
            return interruption != null
                    && interruption.setback() != null
                    && interruption.at().isBefore(moment);
        }

        /** How long it would last on so many workers; null where nobody knows. */
        public @Nullable Duration lengthOn(int workers) {
            int wanted = configuration.workersWanted();
            return length == null || workers >= wanted
                    ? length
                    : length.multipliedBy(wanted).dividedBy(workers);
        }

        /** The same, as one that lasts so long. */
        public Queued lasting(Duration expected) {
            return new Queued(
                    id,
                    project,
                    configuration,
                    priority,
                    waiting,
                    expected,
                    queuedAt,
                    interruption);
        }

        /** The epochs that it has still to train. */
        public int epochsLeft() {
            int epochs = configuration.training().epochs();
            return interruption == null ? epochs : epochs - interruption.epoch();
        }
    }

    /** The whole queue, oldest first, but for runs that are not to be tried again yet. */
    @Transactional(readOnly = true)
    public List<Queued> queued() {
        Map<String, Duration> known = lengths.ofThoseLikeOpenOnes();
        Instant now = clock.instant();
        return runs.findByStateOrderByQueuedAtAscPositionAsc(RunState.QUEUED).stream()
                .filter(run -> run.isDue(now))
                .map(run ->
                        new Queued(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.configuration(),
                                run.priority(),
                                run.waiting(),
                                length(run.likeness(), known),
                                run.queuedAt(),
                                run.interruption()))
                .toList();
    }

    /** How many runs of a project wait. */
    @Transactional(readOnly = true)
    public long waiting(UUID project) {
        return runs.countByProjectIdAndState(project, RunState.QUEUED);
    }

    /**
     * A run that has its workers.
     *
     * @param priority among the runs of its project
     * @param isPreemptible whether it may be asked to make room
     * @param isAsked whether it is
     * @param refusal why it could not make room when it was asked last; null where it could, or was
     *     not asked
     * @param startedAt when the ranks that it has now were all ready; null before
     * @param epochsBefore that ranks which it had earlier have trained
     * @param epochSeconds what an epoch takes: as measured so far, or else as predicted; null where
     *     neither is known, and where these are seconds of another clock
     * @param length from its placement to its end, as those like it took; null where there were
     *     none
     * @param progress how far its slowest rank is
     */
    public record UnderWay(
            RunId id,
            UUID project,
            int priority,
            boolean isPreemptible,
            boolean isAsked,
            @Nullable Refusal refusal,
            Instant queuedAt,
            @Nullable Instant startedAt,
            int epochsBefore,
            @Nullable Double epochSeconds,
            @Nullable Duration length,
            Progress progress) {}

    /** All runs that have their workers. */
    @Transactional(readOnly = true)
    public List<UnderWay> underWay() {
        List<Run> some = runs.findByStateIn(UNDER_WAY);
        Map<String, Duration> known = some.isEmpty() ? Map.of() : lengths.ofThoseLikeOpenOnes();
        Function<Run, Progress> progress = Progress.of(replicas, some);
        return some.stream()
                .map(run ->
                        new UnderWay(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.priority(),
                                run.configuration().isPreemptible(),
                                run.isAskedToStop(),
                                run.refusal(),
                                run.queuedAt(),
                                run.trainingSince(),
                                run.epochsBefore(),
                                epochSeconds(run),
                                length(run.likeness(), known),
                                progress.apply(run)))
                .toList();
    }

    /** What runs take from their placement until they train, as the newest did. */
    @Transactional(readOnly = true)
    public Optional<Duration> preparing() {
        return lengths.ofPreparing();
    }

    /**
     * A run that trains, and can do so with fewer ranks than it asks for.
     *
     * @param isAsked whether its agents are asked to stand still after an epoch
     * @param workers that it has
     */
    public record Elastic(
            RunId id,
            UUID project,
            RunConfiguration configuration,
            boolean isAsked,
            List<WorkerId> workers) {

        public Elastic {
            workers = List.copyOf(workers);
        }
    }

    /** Those of which workers may leave, and which others may join. */
    @Transactional(readOnly = true)
    public List<Elastic> elastic() {
        return runs.findByStateIn(EnumSet.of(RunState.RUNNING)).stream()
                .filter(run -> run.configuration().isElastic())
                .flatMap(run -> trained(run).stream())
                .toList();
    }

    /** One of which ranks stand, or are lost, changes its workers where it goes on. */
    private Optional<Elastic> trained(Run run) {
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        return ranks.stream().anyMatch(it -> it.standstill() != null)
                ? Optional.empty()
                : Optional.of(
                        new Elastic(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.configuration(),
                                run.isRegroupWanted(),
                                ranks.stream().map(it -> WorkerId.of(it.workerId())).toList()));
    }

    /** The runs that are asked to make room. */
    @Transactional(readOnly = true)
    public List<RunId> askedToStop() {
        return runs.findAskedToStop().stream().map(RunId::of).toList();
    }

    private static @Nullable Duration length(
            @Nullable String likeness, Map<String, Duration> known) {
        return likeness == null ? null : known.get(likeness);
    }

    private static @Nullable Double epochSeconds(Run run) {
        Measured measured = run.measured();
        Prediction prediction = run.prediction();
        if (run.configuration().isOnOneWorker()) {
            return null;
        }
        if (measured != null) {
            return measured.epochSeconds();
        }
        return prediction == null ? null : prediction.epochSeconds();
    }

    /** Notes why runs wait; those that wait no more are left alone. */
    @Transactional
    public void waitFor(Collection<RunId> ids, Waiting reason) {
        List<UUID> some = ids.stream().limit(MOST_AT_ONCE).map(RunId::value).toList();
        int waiting = runs.setWaiting(some, RunState.QUEUED, reason);
        told.tell(some, RunState.QUEUED, new RunEvent.Waits(reason));
        log.info("runs wait: {} of them: {}", waiting, reason.message());
    }

    /** Tells where runs stand, as far as that is news. */
    @Transactional
    public void tell(Map<RunId, QueuePlace> now, Instant asOf) {
        Map<UUID, QueuePlace> known = places.all();
        Map<UUID, QueuePlace> news = new HashMap<>();
        now.forEach((run, place) -> {
            if (place.isNews(known.get(run.value()), asOf)) {
                news.put(run.value(), place);
            }
        });
        if (!news.isEmpty()) {
            places.tell(news);
        }
        if (known.size() + news.size() > now.size()) {
            places.forget();
        }
    }
}
