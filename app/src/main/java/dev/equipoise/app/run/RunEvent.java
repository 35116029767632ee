package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Run event, as stored and sent to the readers of a run. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunEvent.State.class, name = RunEvent.STATE),
    @JsonSubTypes.Type(value = RunEvent.Waits.class, name = RunEvent.WAITING),
    @JsonSubTypes.Type(value = RunEvent.Placed.class, name = RunEvent.PLACED),
    @JsonSubTypes.Type(value = RunEvent.Predicted.class, name = RunEvent.PREDICTION),
    @JsonSubTypes.Type(value = RunEvent.Progressed.class, name = RunEvent.PROGRESS),
    @JsonSubTypes.Type(value = RunEvent.Metrics.class, name = RunEvent.METRICS),
    @JsonSubTypes.Type(value = RunEvent.Epoch.class, name = RunEvent.EPOCH),
    @JsonSubTypes.Type(value = RunEvent.Noted.class, name = RunEvent.NOTE),
    @JsonSubTypes.Type(value = RunEvent.SetBack.class, name = RunEvent.SET_BACK),
    @JsonSubTypes.Type(value = RunEvent.Failed.class, name = RunEvent.FAILURE)
})
public sealed interface RunEvent {

    String STATE = "state";
    String WAITING = "waiting";
    String PLACED = "placed";
    String PREDICTION = "prediction";
    String PROGRESS = "progress";
    String METRICS = EventLog.METRICS;
    String EPOCH = "epoch";
    String NOTE = "note";
    String SET_BACK = "set-back";
    String FAILURE = "failure";

    /** Names of the types in JSON, as the annotation above defines them. */
    Map<Class<?>, String> TYPES =
            Stream.of(RunEvent.class.getAnnotation(JsonSubTypes.class).value())
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    JsonSubTypes.Type::value, JsonSubTypes.Type::name));

    /**
     * The run changed its state.
     *
     * @param state new state
     */
    record State(RunState state) implements RunEvent {}

    /**
     * The wait reason changed.
     *
     * @param waiting wait reason; null if the run does not wait
     */
    record Waits(WaitReason waiting) implements RunEvent {}

    /**
     * The ranks got their workers.
     *
     * @param generation generation of the run, from 1
     * @param ranks ranks with their workers
     */
    record Placed(int generation, List<PlacedRank> ranks) implements RunEvent {

        public Placed {
            ranks = List.copyOf(ranks);
        }

        static Placed of(int generation, List<RankAllocation> allocations) {
            return new Placed(
                    generation,
                    IntStream.range(0, allocations.size())
                            .mapToObj(rank -> PlacedRank.of(rank, allocations.get(rank)))
                            .toList());
        }
    }

    /**
     * Rank with its worker.
     *
     * @param rank rank, from 0
     * @param worker id of the worker
     * @param workerName name of the worker
     * @param share samples of an epoch
     * @param profiles ids of the profiles behind the worker's speed, from which the share follows
     *     in functional partitioning; none if no profile was used
     */
    record PlacedRank(
            int rank, WorkerId worker, String workerName, int share, List<UUID> profiles) {

        @SuppressWarnings("ConstantValue") // events of earlier versions have no profiles
        public PlacedRank {
            profiles = profiles == null ? List.of() : List.copyOf(profiles);
        }

        private static PlacedRank of(int rank, RankAllocation allocation) {
            return new PlacedRank(
                    rank,
                    allocation.worker(),
                    allocation.workerName(),
                    allocation.share(),
                    allocation.profiles());
        }
    }

    /**
     * The run has started and has a prediction.
     *
     * @param prediction predicted times
     */
    record Predicted(Prediction prediction) implements RunEvent {}

    /**
     * Progress of the slowest rank, sent about once a second.
     *
     * @param progress progress of the slowest rank
     */
    record Progressed(Progress progress) implements RunEvent {}

    /**
     * New metric points of one rank.
     *
     * @param rank rank, from 0
     * @param name name of the metric
     * @param every current sampling stride, in rounds
     * @param steps rounds since the beginning of the run
     * @param seconds training time since the beginning of the run, on the rank's clock
     * @param values value at each step
     */
    record Metrics(
            int rank,
            String name,
            long every,
            List<Long> steps,
            List<Double> seconds,
            List<Double> values)
            implements RunEvent {

        public Metrics {
            steps = List.copyOf(steps);
            seconds = List.copyOf(seconds);
            values = List.copyOf(values);
        }

        /** Keeps the last point of each of {@code most} equal parts of at least as many points. */
        Metrics thinned(int most) {
            List<Integer> kept =
                    IntStream.rangeClosed(1, most)
                            .map(part -> part * steps.size() / most - 1)
                            .boxed()
                            .toList();
            return new Metrics(
                    rank,
                    name,
                    every,
                    kept.stream().map(steps::get).toList(),
                    kept.stream().map(seconds::get).toList(),
                    kept.stream().map(values::get).toList());
        }
    }

    /**
     * Every rank has reported an epoch.
     *
     * @param epoch epoch, from 1
     * @param step rounds since the beginning of the run, at the end of the epoch
     * @param testAccuracy accuracy of the mean of all replicas; null without an evaluation
     * @param testLoss test loss of the mean of all replicas; null without an evaluation
     * @param meanLoss mean training loss over the samples of all ranks
     * @param distance consensus distance; null without an evaluation
     * @param ranks figures by rank
     */
    record Epoch(
            int epoch,
            long step,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            double meanLoss,
            @Nullable ConsensusDistance distance,
            List<EpochRank> ranks)
            implements RunEvent {

        public Epoch {
            ranks = List.copyOf(ranks);
        }

        /** Creates the event from the results of all ranks, in ascending order of ranks. */
        static Epoch of(int rounds, List<RankEpoch> results) {
            var first = results.getFirst().figures();
            return new Epoch(
                    first.epoch(),
                    (long) first.epoch() * rounds,
                    first.test() == null ? null : first.test().accuracy(),
                    first.test() == null ? null : first.test().loss(),
                    meanLossOver(results),
                    first.distance(),
                    results.stream().map(EpochRank::of).toList());
        }

        private static double meanLossOver(List<RankEpoch> results) {
            double samples = results.stream().mapToInt(it -> it.figures().samples()).sum();
            double loss =
                    results.stream()
                            .map(RankEpoch::figures)
                            .mapToDouble(it -> it.meanLoss() * it.samples())
                            .sum();
            return loss / Math.max(1, samples);
        }
    }

    /**
     * Epoch of one rank.
     *
     * @param rank rank, from 0
     * @param samples samples on which the rank trained
     * @param seconds time of the epoch on the rank's clock, evaluation excluded
     * @param bytes bytes that the rank sent
     * @param meanLoss mean training loss
     * @param accuracy accuracy of this replica's own weights; null without an evaluation
     * @param loss test loss of this replica's own weights; null without an evaluation
     */
    record EpochRank(
            int rank,
            int samples,
            double seconds,
            long bytes,
            double meanLoss,
            @Nullable Double accuracy,
            @Nullable Double loss) {

        private static EpochRank of(RankEpoch result) {
            var figures = result.figures();
            return new EpochRank(
                    figures.rank(),
                    figures.samples(),
                    figures.wallSeconds(),
                    figures.traffic().bytes(),
                    figures.meanLoss(),
                    figures.own() == null ? null : figures.own().accuracy(),
                    figures.own() == null ? null : figures.own().loss());
        }
    }

    /**
     * The run lost its workers and is queued for a restart. Earlier reports of later epochs are
     * void, since the run trains these epochs again.
     *
     * @param failure reason of the restart
     * @param epoch epoch after which it resumes; 0 for the beginning
     */
    record SetBack(RunFailure failure, int epoch) implements RunEvent {}

    /**
     * The run fails; an event with its state follows.
     *
     * @param failure reason of the failure
     */
    record Failed(RunFailure failure) implements RunEvent {}

    /**
     * Note for people.
     *
     * @param rank rank that wrote it; null for the service
     * @param worker name of the worker of that rank; null for the service
     * @param text one line
     */
    record Noted(@Nullable Integer rank, @Nullable String worker, String text)
            implements RunEvent {}

    /** Returns the name of the type in JSON. */
    @JsonIgnore
    default String type() {
        return Objects.requireNonNull(TYPES.get(getClass()));
    }

    /** Whether newer events supersede this one, so that it is kept for a short time only. */
    @JsonIgnore
    default boolean isFleeting() {
        return switch (this) {
            case Waits _, Progressed _, Metrics _ -> true;
            case State _, Placed _, Predicted _, Epoch _, Noted _, SetBack _, Failed _ -> false;
        };
    }

    /** Whether no event follows. */
    @JsonIgnore
    default boolean isLast() {
        return this instanceof State(RunState state) && state.isTerminal();
    }
}
