package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What an agent says of its assignment. */
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        property = "type",
        visible = true,
        defaultImpl = AgentEvent.Unknown.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = AgentEvent.PointMeasured.class, name = "point-measured"),
    @JsonSubTypes.Type(value = AgentEvent.LinkMeasured.class, name = "link-measured"),
    @JsonSubTypes.Type(value = AgentEvent.AllReduceMeasured.class, name = "all-reduce-measured"),
    @JsonSubTypes.Type(value = AgentEvent.ReplicaReady.class, name = "replica-ready"),
    @JsonSubTypes.Type(value = AgentEvent.RoundReached.class, name = "round-reached"),
    @JsonSubTypes.Type(value = AgentEvent.Observed.class, name = "observed"),
    @JsonSubTypes.Type(value = AgentEvent.EpochFinished.class, name = "epoch-finished"),
    @JsonSubTypes.Type(value = AgentEvent.Traced.class, name = "traced"),
    @JsonSubTypes.Type(value = AgentEvent.Decided.class, name = "decided"),
    @JsonSubTypes.Type(value = AgentEvent.Noted.class, name = "noted"),
    @JsonSubTypes.Type(value = AgentEvent.Preempted.class, name = "preempted"),
    @JsonSubTypes.Type(value = AgentEvent.Interrupted.class, name = "interrupted"),
    @JsonSubTypes.Type(value = AgentEvent.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = AgentEvent.Failed.class, name = "failed")
})
public sealed interface AgentEvent {

    /** The longest checksum, in characters. */
    int MAX_CHECKSUM = 200;

    /** The longest message of a failure, in characters; a longer one is cut, not refused. */
    int MAX_MESSAGE = 10_000;

    /** A point of a profile. */
    record PointMeasured(Kernel kernel, MeasuredPoint point) implements AgentEvent {

        public PointMeasured {
            Rules.present("kernel", kernel);
            Rules.present("point", point);
        }
    }

    /** What a link was found to cost. */
    record LinkMeasured(MeasuredLink link) implements AgentEvent {

        public LinkMeasured {
            Rules.present("link", link);
        }
    }

    /** What a sum over some ranks took. */
    record AllReduceMeasured(MeasuredAllReduce allReduce) implements AgentEvent {

        public AllReduceMeasured {
            Rules.present("allReduce", allReduce);
        }
    }

    /**
     * A rank has its data and its peers.
     *
     * @param allReduceSeconds median time of a sum over all ranks of a vector as long as the
     *     gradient, measured over the channel just formed; 0 for a single rank; where ranks are in
     *     groups, of the sums of a round
     * @param parameters checksum of the initial parameters
     */
    record ReplicaReady(int rank, double allReduceSeconds, String parameters)
            implements AgentEvent {

        public ReplicaReady {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("allReduceSeconds", allReduceSeconds, 0.0);
            Rules.text("parameters", parameters, MAX_CHECKSUM);
        }
    }

    /** Progress: so many rounds of the epoch (from 1) are done. */
    record RoundReached(int rank, int epoch, int round) implements AgentEvent {

        public RoundReached {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.atLeast("round", round, 0);
        }
    }

    /**
     * Points of the curve of a metric of one rank, in the order of its rounds.
     *
     * @param metric what they are of: words of small letters, digits and hyphens, with slashes
     *     between them, for example {@link #TRAINING_LOSS}
     * @param every of the rounds there is a point of each so many-th alone, at present
     * @param steps rounds since the run began, from 1; each later than the one before
     * @param seconds of training since the run began, on the rank's clock; evaluations take none
     * @param values finite
     * @param dropped how many more points there were, which are told nowhere, as they were too many
     */
    record Observed(
            int rank,
            String metric,
            long every,
            List<Long> steps,
            List<Double> seconds,
            List<Double> values,
            long dropped)
            implements AgentEvent {

        /** The loss of a mini-batch, before the update that it is in. */
        public static final String TRAINING_LOSS = "train/loss";

        /** The longest name of a metric, in characters. */
        public static final int MAX_METRIC = 60;

        /** More go into the next event. */
        public static final int MOST_POINTS = 1_000;

        /** The points of a run that are kept, of all its ranks and metrics together. */
        public static final int MOST_POINTS_OF_A_RUN = 1_000_000;

        public Observed {
            Rules.atLeast("rank", rank, 0);
            Rules.metric("metric", metric, MAX_METRIC);
            Rules.atLeast("every", every, 1);
            Rules.size("steps", steps, MOST_POINTS);
            Rules.asMany("seconds", seconds, steps);
            Rules.asMany("values", values, steps);
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

        /** The same with every second point dropped, up to the only one. */
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
    }

    /**
     * One epoch of one rank.
     *
     * @param epoch from 1
     * @param samples samples that this rank trained on
     * @param wallSeconds from the first round's start to the last round's end, evaluation excluded
     * @param meanLoss over this rank's samples, before each update; finite, as a training whose
     *     loss is not has diverged, and fails with that reason
     * @param test how the mean of all replicas does on the test set; null where it was not looked
     *     at
     * @param own how this replica does by itself; null where it was not looked at
     * @param distance how far the replicas were apart; null where it was not looked at
     * @param parameters checksum of the parameters after the epoch
     */
    record EpochFinished(
            int rank,
            int epoch,
            int samples,
            Phases phases,
            double wallSeconds,
            Traffic traffic,
            Updates updates,
            double meanLoss,
            @Nullable Evaluated test,
            @Nullable Evaluated own,
            @Nullable Distance distance,
            String parameters)
            implements AgentEvent {

        public EpochFinished {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.atLeast("samples", samples, 0);
            Rules.present("phases", phases);
            Rules.atLeast("wallSeconds", wallSeconds, 0.0);
            Rules.present("traffic", traffic);
            Rules.present("updates", updates);
            Rules.finite("meanLoss", meanLoss);
            Rules.text("parameters", parameters, MAX_CHECKSUM);
        }
    }

    /**
     * What the time of an epoch was spent on, in seconds of the rank's clock; but for {@code
     * hiddenSeconds} they add up to the wall time.
     *
     * @param computeSeconds reading the mini-batches, forward and backward, stretched by the
     *     slow-down
     * @param encodeSeconds coding and decoding
     * @param transferSeconds exchanging after all that take part were ready
     * @param waitSeconds idle until the last of them was ready
     * @param applySeconds stepping and mixing weights
     * @param hiddenSeconds exchanging in the background, also while the rank waited for it
     */
    record Phases(
            double computeSeconds,
            double encodeSeconds,
            double transferSeconds,
            double waitSeconds,
            double applySeconds,
            double hiddenSeconds) {

        public Phases {
            Rules.atLeast("computeSeconds", computeSeconds, 0.0);
            Rules.atLeast("encodeSeconds", encodeSeconds, 0.0);
            Rules.atLeast("transferSeconds", transferSeconds, 0.0);
            Rules.atLeast("waitSeconds", waitSeconds, 0.0);
            Rules.atLeast("applySeconds", applySeconds, 0.0);
            Rules.atLeast("hiddenSeconds", hiddenSeconds, 0.0);
        }
    }

    /**
     * What a rank sent in an epoch, frames with their headers.
     *
     * @param gradientBytes of gradients, of updates made of them, and of what is summed before the
     *     outputs where ranks share hidden units
     * @param weightBytes of weights
     * @param controlBytes of all that keeps ranks in step
     * @param frames of all kinds
     */
    record Traffic(long gradientBytes, long weightBytes, long controlBytes, long frames) {

        public Traffic {
            Rules.atLeast("gradientBytes", gradientBytes, 0);
            Rules.atLeast("weightBytes", weightBytes, 0);
            Rules.atLeast("controlBytes", controlBytes, 0);
            Rules.atLeast("frames", frames, 0);
        }

        /** Of all kinds. */
        public long bytes() {
            return gradientBytes + weightBytes + controlBytes;
        }
    }

    /**
     * The steps that a rank's weights made in an epoch.
     *
     * @param learningRate the mean of all steps' effective learning rates; 0 of none
     * @param staleness how many gradients were applied by how stale they were, from 0 on; the last
     *     place has those beyond, too; empty where none can be stale
     * @param greatestStaleness of all
     */
    record Updates(long steps, double learningRate, List<Long> staleness, long greatestStaleness) {

        /** Staleness below this is told apart. */
        public static final int MOST_PLACES = 1024;

        public Updates {
            Rules.atLeast("steps", steps, 0);
            Rules.atLeast("learningRate", learningRate, 0.0);
            Rules.size("staleness", staleness, MOST_PLACES);
            staleness = List.copyOf(staleness);
            staleness.forEach(count -> Rules.atLeast("staleness", count, 0));
            Rules.atLeast("greatestStaleness", greatestStaleness, 0);
        }
    }

    /**
     * How far replicas are apart.
     *
     * @param absolute the root of the mean over the replicas of the squared distance to their mean
     * @param relative to the length of the mean; 0 of a mean without length
     */
    record Distance(double absolute, double relative) {

        public Distance {
            Rules.atLeast("absolute", absolute, 0.0);
            Rules.atLeast("relative", relative, 0.0);
        }
    }

    /**
     * How a model does on the whole test set.
     *
     * @param accuracy share of the predictions that meet their label
     * @param loss mean over the predictions; its exponential is the perplexity
     */
    record Evaluated(double accuracy, double loss) {

        public Evaluated {
            Rules.atLeast("accuracy", accuracy, 0.0);
            Rules.atLeast("loss", loss, 0.0);
        }
    }

    /** Which of a rank's two threads. */
    enum Strand {
        /** The one that trains or serves. */
        @JsonProperty("main")
        MAIN,
        /** The one that exchanges meanwhile. */
        @JsonProperty("background")
        BACKGROUND
    }

    /** What a slice of time went by with, as in {@link Phases}. */
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
     * Where the time of an epoch went, slice by slice; an epoch may take several of these, in the
     * order of time.
     *
     * @param begun when each slice began, in nanoseconds since rank 0 began to train, on its clock
     * @param nanos how long each took
     * @param dropped how many more slices there were, which are told nowhere, as they were too many
     */
    record Traced(
            int rank,
            int epoch,
            Strand strand,
            List<Phase> phases,
            List<Long> begun,
            List<Long> nanos,
            long dropped)
            implements AgentEvent {

        /** More go into the next event. */
        public static final int MOST_SLICES = 5_000;

        public Traced {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.present("strand", strand);
            Rules.size("phases", phases, MOST_SLICES);
            Rules.asMany("begun", begun, phases);
            Rules.asMany("nanos", nanos, phases);
            phases = List.copyOf(phases);
            begun = List.copyOf(begun);
            nanos = List.copyOf(nanos);
            nanos.forEach(each -> Rules.atLeast("nanos", each, 0));
            Rules.atLeast("dropped", dropped, 0);
        }

        /** The same with its slices dropped. */
        public Traced withoutSlices() {
            return new Traced(
                    rank, epoch, strand, List.of(), List.of(), List.of(), dropped + phases.size());
        }
    }

    /**
     * What a thread decided in an epoch by what happened to come first; an epoch may take several
     * of these, in their order.
     *
     * @param choices by what was to be decided: a rank that is heard next; 1 for a task that is
     *     over and 0 for one that is not; how many turns at what two threads share were over before
     *     the own; the place of an algorithm among those that there are
     */
    record Decided(int rank, int epoch, Strand strand, List<Integer> choices)
            implements AgentEvent {

        /** More go into the next event. */
        public static final int MOST_CHOICES = 10_000;

        public Decided {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
            Rules.present("strand", strand);
            Rules.notEmpty("choices", choices);
            Rules.size("choices", choices, MOST_CHOICES);
            choices = List.copyOf(choices);
            choices.forEach(choice -> Rules.atLeast("choice", choice, 0));
        }
    }

    /**
     * Something worth telling to whoever asks how the run went.
     *
     * @param text for people, one line and never a secret; control characters become blanks, and
     *     one that is too long is cut, not refused
     */
    record Noted(int rank, String text) implements AgentEvent {

        /** The longest, in characters. */
        public static final int MAX_TEXT = 300;

        /** An agent tells no more of one assignment. */
        public static final int MOST_OF_AN_ASSIGNMENT = 100;

        /** The service keeps no more of all ranks of a run, and passes over the others. */
        public static final int MOST_OF_A_RUN = 1_000;

        public Noted {
            Rules.atLeast("rank", rank, 0);
            Rules.notBlank("text", text);
            String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]+", " ").strip();
            Rules.notBlank("text", line);
            text = cut(line);
        }

        /** At most as much as is told, and no half of a character. */
        private static String cut(String line) {
            if (line.length() <= MAX_TEXT) {
                return line;
            }
            boolean splits = Character.isHighSurrogate(line.charAt(MAX_TEXT - 1));
            return line.substring(0, splits ? MAX_TEXT - 1 : MAX_TEXT);
        }
    }

    /**
     * A rank has stopped after an epoch, whose checkpoint the service has.
     *
     * @param epoch from 1
     */
    record Preempted(int rank, int epoch) implements AgentEvent {

        public Preempted {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
        }
    }

    /**
     * A rank that has lost others stands still, and keeps what it has until it is told with whom it
     * goes on.
     *
     * @param held what it has in memory; null where that is nothing with which others could go on
     * @param missing the ranks whose agents are seen no more, where any are
     */
    record Interrupted(int rank, @Nullable Held held, List<Integer> missing) implements AgentEvent {

        /**
         * The weights, and all that goes with them.
         *
         * @param parameters checksum of the weights
         */
        public record Held(Position position, String parameters) {

            public Held {
                Rules.present("position", position);
                Rules.text("parameters", parameters, MAX_CHECKSUM);
            }
        }

        public Interrupted {
            Rules.atLeast("rank", rank, 0);
            Rules.present("missing", missing);
            missing = List.copyOf(missing);
            missing.forEach(each -> Rules.atLeast("missing", each, 0));
        }
    }

    /** The assignment is done. */
    record Finished() implements AgentEvent {}

    /**
     * The assignment cannot be done.
     *
     * @param cause who must act
     * @param code for programs, in kebab case, for example {@code dataset-corrupt}
     * @param message for people, one sentence; NUL characters, which no database takes, are left
     *     out
     */
    record Failed(FailureCause cause, String code, String message) implements AgentEvent {

        public Failed {
            Rules.present("cause", cause);
            Rules.text("code", code, 100);
            Rules.present("message", message);
            String text = message.replace("\0", "");
            message = text.substring(0, Math.min(text.length(), MAX_MESSAGE));
        }
    }

    /**
     * Something of a kind that whoever reads it does not know, as whoever told it is newer. It is
     * passed over, since what follows it would not be heard otherwise; it is never the last event.
     *
     * @param type the kind
     */
    @JsonTypeName("unknown")
    record Unknown(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String type)
            implements AgentEvent {

        private static final int MAX_TYPE = 100;

        public Unknown {
            Rules.metric("type", type, MAX_TYPE);
        }
    }

    /** The rank that it is about, where it names one. */
    default OptionalInt ofRank() {
        return switch (this) {
            case ReplicaReady ready -> OptionalInt.of(ready.rank());
            case RoundReached reached -> OptionalInt.of(reached.rank());
            case Observed observed -> OptionalInt.of(observed.rank());
            case EpochFinished finished -> OptionalInt.of(finished.rank());
            case Traced traced -> OptionalInt.of(traced.rank());
            case Decided decided -> OptionalInt.of(decided.rank());
            case Noted noted -> OptionalInt.of(noted.rank());
            case Preempted preempted -> OptionalInt.of(preempted.rank());
            case Interrupted interrupted -> OptionalInt.of(interrupted.rank());
            case PointMeasured _,
                    LinkMeasured _,
                    AllReduceMeasured _,
                    Finished _,
                    Failed _,
                    Unknown _ ->
                    OptionalInt.empty();
        };
    }

    /** How many figures it has, of those of which there may be many. */
    @JsonIgnore
    default int bulk() {
        return switch (this) {
            case Traced traced -> traced.phases().size();
            case Decided decided -> decided.choices().size();
            case Observed observed -> 3 * observed.steps().size();
            case EpochFinished finished -> finished.updates().staleness().size();
            case ReplicaReady _,
                    RoundReached _,
                    PointMeasured _,
                    LinkMeasured _,
                    AllReduceMeasured _,
                    Noted _,
                    Preempted _,
                    Interrupted _,
                    Finished _,
                    Failed _,
                    Unknown _ ->
                    0;
        };
    }

    /** Whether nothing may follow this event. */
    @JsonIgnore
    default boolean isLast() {
        return this instanceof Finished
                || this instanceof Preempted
                || this instanceof Interrupted
                || this instanceof Failed;
    }
}
