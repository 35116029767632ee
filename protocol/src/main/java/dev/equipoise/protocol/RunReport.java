package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Event of a run: progress, figures and notes of one rank, or the outcome of an assignment. */
public sealed interface RunReport extends AgentEvent
        permits RunReport.ReplicaReady,
                RunReport.RoundReached,
                RunReport.Observed,
                EpochFinished,
                RunReport.PhasesElapsed,
                RunReport.Traced,
                RunReport.Decided,
                RunReport.Noted,
                Outcome.Preempted,
                Outcome.Interrupted,
                Outcome.Finished,
                Outcome.Failed {

    /** Longest checksum of parameters, in characters. */
    int MAX_CHECKSUM = 200;

    /**
     * A rank has loaded its data and connected to its peers.
     *
     * @param rank rank, from 0
     * @param allReduceSeconds median time of an all-reduce of a vector as long as the gradient,
     *     measured on the channel of the run; 0 for a single rank; with groups, the sum over all
     *     all-reduces of a round
     * @param parameters checksum of the initial parameters
     * @param replaced distance of the weights that this rank had restored from those of another
     *     rank, which replaced them; null if it begins with its own
     */
    record ReplicaReady(
            int rank,
            double allReduceSeconds,
            String parameters,
            @Nullable ReplicaDistance replaced)
            implements RunReport {

        /** Creates the report of a rank that begins with its own weights. */
        public ReplicaReady(int rank, double allReduceSeconds, String parameters) {
            this(rank, allReduceSeconds, parameters, null);
        }

        public ReplicaReady {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("allReduceSeconds", allReduceSeconds, 0.0);
            Rules.text("parameters", parameters, MAX_CHECKSUM);
        }
    }

    /**
     * Progress report: the rank has completed {@code round} rounds of the epoch (from 1).
     *
     * @param rank rank, from 0
     * @param epoch epoch, from 1
     * @param round completed rounds of the epoch
     */
    record RoundReached(int rank, int epoch, int round) implements RunReport {

        public RoundReached {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.atLeast("round", round, 0);
        }
    }

    /**
     * Points of the curve of one metric of one rank, in the order of its rounds.
     *
     * @param rank rank, from 0
     * @param metric name of the metric: words of lowercase letters, digits and hyphens, separated
     *     by slashes, for example {@link #TRAINING_LOSS}
     * @param every current sampling stride, in rounds
     * @param steps rounds since the run began, from 1, strictly ascending
     * @param seconds training time since the run began, on the rank's clock, without evaluations
     * @param values finite
     * @param dropped number of further points that the agent dropped, as they exceeded a limit
     */
    record Observed(
            int rank,
            String metric,
            long every,
            List<Long> steps,
            List<Double> seconds,
            List<Double> values,
            long dropped)
            implements RunReport {

        /** Training loss of a mini-batch, before the update that the mini-batch causes. */
        public static final String TRAINING_LOSS = "train/loss";

        /** Longest name of a metric, in characters. */
        public static final int MAX_METRIC = 60;

        /** Most points of one event; further points go into the next event. */
        public static final int MAX_POINTS = 1_000;

        /** Most points that the service keeps of a run, over all ranks and metrics. */
        public static final int MAX_POINTS_OF_A_RUN = 1_000_000;

        public Observed {
            Rules.atLeast("rank", rank, 0);
            Rules.metric("metric", metric, MAX_METRIC);
            Rules.atLeast("every", every, 1);
            Rules.size("steps", steps, MAX_POINTS);
            Rules.sameSize("seconds", seconds, steps);
            Rules.sameSize("values", values, steps);
            steps = List.copyOf(steps);
            seconds = List.copyOf(seconds);
            values = List.copyOf(values);
            long last = 0;
            for (long step : steps) {
                Rules.atLeast("step", step, last + 1);
                last = step;
            }
            double lastSeconds = 0;
            for (double each : seconds) {
                Rules.atLeast("seconds", each, lastSeconds);
                lastSeconds = each;
            }
            values.forEach(value -> Rules.finite("value", value));
            Rules.atLeast("dropped", dropped, 0);
        }

        /**
         * Returns this event with every second point dropped, down to none, and the stride doubled.
         */
        public Observed thinned() {
            if (steps.isEmpty()) {
                return this;
            }
            List<Integer> kept =
                    IntStream.range(0, steps.size()).filter(it -> it % 2 == 1).boxed().toList();
            return new Observed(
                    rank,
                    metric,
                    2 * every,
                    kept.stream().map(steps::get).toList(),
                    kept.stream().map(seconds::get).toList(),
                    kept.stream().map(values::get).toList(),
                    dropped + steps.size() - kept.size());
        }

        @Override
        public int bulk() {
            return 3 * steps.size();
        }
    }

    /**
     * Time that has elapsed on a rank since the start of its assignment, by run phase; a later
     * event replaces this one. The service derives nothing else from it.
     *
     * @param rank rank, from 0
     * @param elapsedSeconds time by two clock readings of its own, in seconds: a difference from
     *     the sum of the phases shows an omitted phase
     * @param phases time by run phase
     */
    record PhasesElapsed(int rank, double elapsedSeconds, RunPhases phases) implements RunReport {

        public PhasesElapsed {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("elapsedSeconds", elapsedSeconds, 0.0);
            Rules.present("phases", phases);
        }

        @Override
        public int bulk() {
            return 0;
        }
    }

    /** Thread of a rank. */
    enum Strand {
        /** The thread that trains or serves. */
        @JsonProperty("main")
        MAIN,
        /** The thread that exchanges in the background. */
        @JsonProperty("background")
        BACKGROUND
    }

    /** Phase of a time slice, as in {@link EpochFinished.Phases}. */
    enum Phase {
        @JsonProperty("compute")
        COMPUTE,
        @JsonProperty("encode")
        ENCODE,
        @JsonProperty("transfer")
        TRANSFER,
        @JsonProperty("wait")
        WAIT,
        @JsonProperty("apply")
        APPLY
    }

    /**
     * Trace of an epoch, as time slices; an epoch may need several such events, in order of time.
     *
     * @param rank rank, from 0
     * @param epoch epoch, from 1
     * @param strand thread of the rank
     * @param phases phase of each slice
     * @param begun start of each slice, in nanoseconds since rank 0 began to train, on its clock
     * @param nanos duration of each slice, in nanoseconds
     * @param dropped number of further slices that the agent dropped, as they exceeded a limit
     */
    record Traced(
            int rank,
            int epoch,
            Strand strand,
            List<Phase> phases,
            List<Long> begun,
            List<Long> nanos,
            long dropped)
            implements RunReport {

        /** Most slices of one event; further slices go into the next event. */
        public static final int MAX_SLICES = 5_000;

        public Traced {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.present("strand", strand);
            Rules.size("phases", phases, MAX_SLICES);
            Rules.sameSize("begun", begun, phases);
            Rules.sameSize("nanos", nanos, phases);
            phases = List.copyOf(phases);
            begun = List.copyOf(begun);
            nanos = List.copyOf(nanos);
            nanos.forEach(each -> Rules.atLeast("nanos", each, 0));
            Rules.atLeast("dropped", dropped, 0);
        }

        /** Returns this event with all its slices dropped. */
        public Traced withoutSlices() {
            return new Traced(
                    rank, epoch, strand, List.of(), List.of(), List.of(), dropped + phases.size());
        }

        @Override
        public int bulk() {
            return phases.size();
        }
    }

    /**
     * Recorded decisions of a thread in an epoch, which depended on what happened first; an epoch
     * may need several such events, in order.
     *
     * @param rank rank, from 0
     * @param epoch epoch, from 1
     * @param strand thread of the rank
     * @param choices meaning by decision: the rank that is received from next; 1 for a task that is
     *     over, else 0; the number of exclusive sections of both threads that were over before the
     *     own one; the index of the selected algorithm
     */
    record Decided(int rank, int epoch, Strand strand, List<Integer> choices) implements RunReport {

        /** Most decisions of one event; further decisions go into the next event. */
        public static final int MAX_CHOICES = 10_000;

        public Decided {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.present("strand", strand);
            Rules.notEmpty("choices", choices);
            Rules.size("choices", choices, MAX_CHOICES);
            choices = List.copyOf(choices);
            choices.forEach(choice -> Rules.atLeast("choice", choice, 0));
        }

        @Override
        public int bulk() {
            return choices.size();
        }
    }

    /**
     * Note for the readers of the run's log.
     *
     * @param rank rank, from 0
     * @param text one line for people, never a secret; control characters become blanks, and a
     *     longer text is truncated, not rejected
     */
    record Noted(int rank, String text) implements RunReport {

        /** Longest text, in characters. */
        public static final int MAX_TEXT = 300;

        /** Most notes that an agent sends for one assignment. */
        public static final int MAX_OF_AN_ASSIGNMENT = 100;

        /** Most notes that the service keeps of all ranks of a run; it ignores further ones. */
        public static final int MAX_OF_A_RUN = 1_000;

        public Noted {
            Rules.atLeast("rank", rank, 0);
            Rules.notBlank("text", text);
            String line = DisplayText.clean(text);
            Rules.notBlank("text", line);
            text = cut(line);
        }

        /** Truncates a line, without splitting a surrogate pair. */
        private static String cut(String line) {
            if (line.length() <= MAX_TEXT) {
                return line;
            }
            boolean splits = Character.isHighSurrogate(line.charAt(MAX_TEXT - 1));
            return line.substring(0, splits ? MAX_TEXT - 1 : MAX_TEXT);
        }
    }

    /** Returns the rank of the event; empty for an outcome that names none. */
    default OptionalInt ofRank() {
        return switch (this) {
            case ReplicaReady ready -> OptionalInt.of(ready.rank());
            case RoundReached reached -> OptionalInt.of(reached.rank());
            case Observed observed -> OptionalInt.of(observed.rank());
            case EpochFinished finished -> OptionalInt.of(finished.rank());
            case PhasesElapsed elapsed -> OptionalInt.of(elapsed.rank());
            case Traced traced -> OptionalInt.of(traced.rank());
            case Decided decided -> OptionalInt.of(decided.rank());
            case Noted noted -> OptionalInt.of(noted.rank());
            case Outcome.Preempted preempted -> OptionalInt.of(preempted.rank());
            case Outcome.Interrupted interrupted -> OptionalInt.of(interrupted.rank());
            case Outcome.Finished _, Outcome.Failed _ -> OptionalInt.empty();
        };
    }
}
