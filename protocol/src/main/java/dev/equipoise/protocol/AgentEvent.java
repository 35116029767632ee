package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** What an agent says of its assignment. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = AgentEvent.PointMeasured.class, name = "point-measured"),
    @JsonSubTypes.Type(value = AgentEvent.LinkMeasured.class, name = "link-measured"),
    @JsonSubTypes.Type(value = AgentEvent.ReplicaReady.class, name = "replica-ready"),
    @JsonSubTypes.Type(value = AgentEvent.RoundReached.class, name = "round-reached"),
    @JsonSubTypes.Type(value = AgentEvent.EpochFinished.class, name = "epoch-finished"),
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

    /**
     * The replica has its data and its peers.
     *
     * @param allReduceSeconds median time of an all-reduce of the gradient, measured over the
     *     channel just formed; 0 for a single rank
     * @param parameters checksum of the initial parameters
     */
    record ReplicaReady(double allReduceSeconds, String parameters) implements AgentEvent {

        public ReplicaReady {
            Rules.atLeast("allReduceSeconds", allReduceSeconds, 0.0);
            Rules.text("parameters", parameters, MAX_CHECKSUM);
        }
    }

    /** Progress: so many rounds of the epoch (from 1) are done. */
    record RoundReached(int epoch, int round) implements AgentEvent {

        public RoundReached {
            Rules.atLeast("epoch", epoch, 1);
            Rules.atLeast("round", round, 0);
        }
    }

    /**
     * One epoch of one rank. The times are wall seconds on the rank's monotonic clock; evaluation
     * is in none of them.
     *
     * @param epoch from 1
     * @param samples samples that this rank trained on
     * @param computeSeconds forward, backward and update, stretched by the slow-down
     * @param transferSeconds exchange after all ranks were ready
     * @param waitSeconds idle until the last rank was ready
     * @param wallSeconds from the first round's start to the last round's end
     * @param bytesSent frames with their headers
     * @param meanLoss over this rank's samples, before each update; finite, as a training whose
     *     loss is not has diverged, and fails with that reason
     * @param test how the model does on the test set; null where it was not looked at
     * @param parameters checksum of the parameters after the epoch
     */
    record EpochFinished(
            int epoch,
            int samples,
            double computeSeconds,
            double transferSeconds,
            double waitSeconds,
            double wallSeconds,
            long bytesSent,
            double meanLoss,
            @Nullable Evaluated test,
            String parameters)
            implements AgentEvent {

        public EpochFinished {
            Rules.atLeast("epoch", epoch, 1);
            Rules.atLeast("samples", samples, 0);
            Rules.atLeast("computeSeconds", computeSeconds, 0.0);
            Rules.atLeast("transferSeconds", transferSeconds, 0.0);
            Rules.atLeast("waitSeconds", waitSeconds, 0.0);
            Rules.atLeast("wallSeconds", wallSeconds, 0.0);
            Rules.atLeast("bytesSent", bytesSent, 0);
            Rules.finite("meanLoss", meanLoss);
            Rules.text("parameters", parameters, MAX_CHECKSUM);
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

    /** Whether nothing may follow this event. */
    @JsonIgnore
    default boolean isLast() {
        return this instanceof Finished || this instanceof Failed;
    }
}
