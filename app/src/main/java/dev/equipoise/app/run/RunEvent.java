package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.AgentEvent.Distance;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What happens to a run, as those hear who follow it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunEvent.State.class, name = "state"),
    @JsonSubTypes.Type(value = RunEvent.Waits.class, name = "waiting"),
    @JsonSubTypes.Type(value = RunEvent.Placed.class, name = "placed"),
    @JsonSubTypes.Type(value = RunEvent.Predicted.class, name = "prediction"),
    @JsonSubTypes.Type(value = RunEvent.Progressed.class, name = "progress"),
    @JsonSubTypes.Type(value = RunEvent.Metrics.class, name = "metrics"),
    @JsonSubTypes.Type(value = RunEvent.Epoch.class, name = "epoch"),
    @JsonSubTypes.Type(value = RunEvent.Noted.class, name = "note"),
    @JsonSubTypes.Type(value = RunEvent.SetBack.class, name = "set-back"),
    @JsonSubTypes.Type(value = RunEvent.Failed.class, name = "failure")
})
public sealed interface RunEvent {

    /** The run is in another state now. */
    record State(RunState state) implements RunEvent {}

    /** It waits for another reason than before. */
    record Waits(Waiting waiting) implements RunEvent {}

    /** Its ranks have their workers. */
    record Placed(int generation, List<PlacedRank> ranks) implements RunEvent {

        public Placed {
            ranks = List.copyOf(ranks);
        }

        static Placed of(int generation, List<Seat> seats) {
            return new Placed(
                    generation,
                    IntStream.range(0, seats.size())
                            .mapToObj(rank -> PlacedRank.of(rank, seats.get(rank)))
                            .toList());
        }
    }

    /**
     * A rank and who has it.
     *
     * @param share samples an epoch
     * @param profiles that told the worker's speed, from which the share follows where shares
     *     follow speeds; none where no profile was looked at
     */
    record PlacedRank(
            int rank, WorkerId worker, String workerName, int share, List<UUID> profiles) {

        @SuppressWarnings("ConstantValue") // those of before profiles were told have none
        public PlacedRank {
            profiles = profiles == null ? List.of() : List.copyOf(profiles);
        }

        private static PlacedRank of(int rank, Seat seat) {
            return new PlacedRank(
                    rank, seat.worker(), seat.workerName(), seat.share(), seat.profiles());
        }
    }

    /** It has started, and this is what it should take. */
    record Predicted(Prediction prediction) implements RunEvent {}

    /** How far its slowest rank is; told about once a second. */
    record Progressed(Progress progress) implements RunEvent {}

    /**
     * Points of a curve of one rank that are new.
     *
     * @param every of the rounds there is a point of each so many-th alone, at present
     * @param steps rounds since the run began
     * @param seconds of training since the run began, on the rank's clock
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

        static Metrics of(Observed observed) {
            return new Metrics(
                    observed.rank(),
                    observed.metric(),
                    observed.every(),
                    observed.steps(),
                    observed.seconds(),
                    observed.values());
        }
    }

    /**
     * All ranks have told an epoch.
     *
     * @param step rounds since the run began, at the end of the epoch
     * @param testAccuracy of the mean of all replicas; null where it was not looked at
     * @param meanLoss over the samples of all ranks
     */
    record Epoch(
            int epoch,
            long step,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            double meanLoss,
            @Nullable Distance distance,
            List<EpochRank> ranks)
            implements RunEvent {

        public Epoch {
            ranks = List.copyOf(ranks);
        }

        /** Of what all ranks have told, in their order. */
        static Epoch of(int rounds, List<EpochResult> results) {
            var first = results.getFirst().figures();
            double samples = results.stream().mapToInt(it -> it.figures().samples()).sum();
            double loss =
                    results.stream()
                            .map(EpochResult::figures)
                            .mapToDouble(it -> it.meanLoss() * it.samples())
                            .sum();
            return new Epoch(
                    first.epoch(),
                    (long) first.epoch() * rounds,
                    first.test() == null ? null : first.test().accuracy(),
                    first.test() == null ? null : first.test().loss(),
                    loss / Math.max(1, samples),
                    first.distance(),
                    results.stream().map(EpochRank::of).toList());
        }
    }

    /**
     * An epoch of one rank.
     *
     * @param seconds of the rank's clock, evaluation excluded
     * @param bytes that it has sent
     * @param accuracy of this replica by itself; null where it was not looked at
     */
    record EpochRank(
            int rank,
            int samples,
            double seconds,
            long bytes,
            double meanLoss,
            @Nullable Double accuracy,
            @Nullable Double loss) {

        private static EpochRank of(EpochResult result) {
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
     * Its workers have failed it, and it waits for others; what was told of later epochs counts no
     * more, as they are done anew.
     *
     * @param epoch after which it goes on; 0 from its beginning
     */
    record SetBack(RunFailure failure, int epoch) implements RunEvent {}

    /** Why it fails; its state follows. */
    record Failed(RunFailure failure) implements RunEvent {}

    /**
     * Something worth telling to people.
     *
     * @param rank who says so; null where it is the service
     * @param worker by whom that rank is held; null likewise
     * @param text one line
     */
    record Noted(@Nullable Integer rank, @Nullable String worker, String text)
            implements RunEvent {}

    /** As it is called where it is told. */
    @JsonIgnore
    default String type() {
        return switch (this) {
            case State _ -> "state";
            case Waits _ -> "waiting";
            case Placed _ -> "placed";
            case Predicted _ -> "prediction";
            case Progressed _ -> "progress";
            case Metrics _ -> "metrics";
            case Epoch _ -> "epoch";
            case Noted _ -> "note";
            case SetBack _ -> "set-back";
            case Failed _ -> "failure";
        };
    }

    /** Whether something newer says as much, so that it need not be kept for long. */
    @JsonIgnore
    default boolean isFleeting() {
        return switch (this) {
            case Waits _, Progressed _, Metrics _ -> true;
            case State _, Placed _, Predicted _, Epoch _, Noted _, SetBack _, Failed _ -> false;
        };
    }

    /** Whether nothing may follow. */
    @JsonIgnore
    default boolean isLast() {
        return this instanceof State(RunState state) && state.isTerminal();
    }
}
