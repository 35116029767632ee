package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * How a gradient becomes a parameter step. All is computed in float32, so that what would be zero
 * there is refused.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = OptimizerSpec.Sgd.class, name = "sgd"),
    @JsonSubTypes.Type(value = OptimizerSpec.Adam.class, name = "adam"),
    @JsonSubTypes.Type(value = OptimizerSpec.AdamW.class, name = "adamw")
})
public sealed interface OptimizerSpec {

    /** What the schedule multiplies. */
    double learningRate();

    Schedule schedule();

    Clipping clipping();

    /** Whether it keeps something for each parameter from one step to the next. */
    default boolean remembers() {
        return !(this instanceof Sgd sgd && sgd.momentum() == 0);
    }

    /**
     * {@code v <- momentum * v + g; w <- w - learningRate * v}, where Nesterov's form puts {@code g
     * + momentum * v} in the place of {@code v}.
     */
    record Sgd(
            double learningRate,
            double momentum,
            boolean nesterov,
            Schedule schedule,
            Clipping clipping)
            implements OptimizerSpec {

        public Sgd {
            checkRate(learningRate);
            Rules.share("momentum", momentum);
            if (nesterov && momentum == 0) {
                throw new IllegalArgumentException("nesterov needs a momentum above 0");
            }
            Rules.present("schedule", schedule);
            Rules.present("clipping", clipping);
        }

        /** Without momentum, at a constant rate. */
        public Sgd(double learningRate) {
            this(learningRate, 0, false, new Schedule.Constant(0), new Clipping.None());
        }
    }

    /** A step for each parameter by the running means of its gradient and of its square. */
    record Adam(
            double learningRate,
            double beta1,
            double beta2,
            double epsilon,
            Schedule schedule,
            Clipping clipping)
            implements OptimizerSpec {

        public Adam {
            checkRate(learningRate);
            checkMeans(beta1, beta2, epsilon);
            Rules.present("schedule", schedule);
            Rules.present("clipping", clipping);
        }
    }

    /** {@link Adam} after {@code w <- w - learningRate * weightDecay * w}. */
    record AdamW(
            double learningRate,
            double beta1,
            double beta2,
            double epsilon,
            double weightDecay,
            Schedule schedule,
            Clipping clipping)
            implements OptimizerSpec {

        public AdamW {
            checkRate(learningRate);
            checkMeans(beta1, beta2, epsilon);
            Rules.atLeast("weightDecay", weightDecay, 0.0);
            Rules.present("schedule", schedule);
            Rules.present("clipping", clipping);
        }
    }

    private static void checkRate(double learningRate) {
        Rules.atLeast("learningRate", learningRate, Float.MIN_NORMAL);
    }

    private static void checkMeans(double beta1, double beta2, double epsilon) {
        Rules.share("beta1", beta1);
        Rules.share("beta2", beta2);
        Rules.atLeast("epsilon", epsilon, Float.MIN_NORMAL);
    }
}
