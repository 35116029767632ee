package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;

/**
 * Optimizer settings. The optimizer computes in float32, so values that would be zero in float32
 * are rejected.
 *
 * <p>A coupled weight decay, of {@link Sgd} and {@link Adam}, adds {@code weightDecay * w} to the
 * clipped gradient of every parameter, biases included: the optimizer then descends {@code loss +
 * weightDecay / 2 * |w|^2}, as in Caffe and PyTorch. The decay of {@link AdamW} is decoupled from
 * the gradient. A coupled decay of 0 is left out of JSON, so that configurations without one keep
 * their workload keys.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = OptimizerSpec.Sgd.class, name = "sgd"),
    @JsonSubTypes.Type(value = OptimizerSpec.Adam.class, name = "adam"),
    @JsonSubTypes.Type(value = OptimizerSpec.AdamW.class, name = "adamw")
})
public sealed interface OptimizerSpec {

    /** Returns the base learning rate, which the schedule multiplies. */
    double learningRate();

    Schedule schedule();

    Clipping clipping();

    /** Returns the factor of the weights that joins the gradient; 0 for {@link AdamW}. */
    double coupledDecay();

    /** Returns whether the optimizer keeps state from one step to the next. */
    default boolean remembers() {
        return !(this instanceof Sgd sgd && sgd.momentum() == 0);
    }

    /**
     * SGD with momentum: {@code v <- momentum * v + g; w <- w - learningRate * v}; Nesterov's form
     * replaces {@code v} in the step by {@code g + momentum * v}.
     *
     * @param learningRate step size
     * @param momentum factor of the velocity
     * @param nesterov whether the step is Nesterov's
     * @param weightDecay factor of the weights that is added to the gradient
     * @param schedule factor of the learning rate by epoch
     * @param clipping bound of the gradient before the step
     */
    record Sgd(
            double learningRate,
            double momentum,
            boolean nesterov,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
                    double weightDecay,
            Schedule schedule,
            Clipping clipping)
            implements OptimizerSpec {

        public Sgd {
            checkRate(learningRate);
            Rules.fraction("momentum", momentum);
            if (nesterov && momentum == 0) {
                throw new IllegalArgumentException(
                        "nesterov must be false with momentum 0: set a momentum above 0");
            }
            checkCoupledDecay(weightDecay);
            Rules.present("schedule", schedule);
            Rules.present("clipping", clipping);
        }

        /** Creates SGD without weight decay. */
        public Sgd(
                double learningRate,
                double momentum,
                boolean nesterov,
                Schedule schedule,
                Clipping clipping) {
            this(learningRate, momentum, nesterov, 0, schedule, clipping);
        }

        /** Creates SGD without momentum and without weight decay, at a constant rate. */
        public Sgd(double learningRate) {
            this(learningRate, 0, false, new Schedule.Constant(0), new Clipping.None());
        }

        @Override
        public double coupledDecay() {
            return weightDecay;
        }
    }

    /**
     * Adam: steps by the running means of the gradient and of its square (Kingma and Ba 2015).
     *
     * @param learningRate step size
     * @param beta1 decay rate of the mean of the gradient
     * @param beta2 decay rate of the mean of its square
     * @param epsilon number that is added to the divisor
     * @param weightDecay factor of the weights that is added to the gradient
     * @param schedule factor of the learning rate by epoch
     * @param clipping bound of the gradient before the step
     */
    record Adam(
            double learningRate,
            double beta1,
            double beta2,
            double epsilon,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
                    double weightDecay,
            Schedule schedule,
            Clipping clipping)
            implements OptimizerSpec {

        public Adam {
            checkRate(learningRate);
            checkMeans(beta1, beta2, epsilon);
            checkCoupledDecay(weightDecay);
            Rules.present("schedule", schedule);
            Rules.present("clipping", clipping);
        }

        /** Creates Adam without weight decay. */
        public Adam(
                double learningRate,
                double beta1,
                double beta2,
                double epsilon,
                Schedule schedule,
                Clipping clipping) {
            this(learningRate, beta1, beta2, epsilon, 0, schedule, clipping);
        }

        @Override
        public double coupledDecay() {
            return weightDecay;
        }
    }

    /**
     * AdamW: {@link Adam} after {@code w <- w - learningRate * weightDecay * w} (Loshchilov and
     * Hutter 2019).
     *
     * @param learningRate step size
     * @param beta1 decay rate of the mean of the gradient
     * @param beta2 decay rate of the mean of its square
     * @param epsilon number that is added to the divisor
     * @param weightDecay factor of the weights that each step subtracts, times the learning rate
     * @param schedule factor of the learning rate by epoch
     * @param clipping bound of the gradient before the step
     */
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

        @Override
        public double coupledDecay() {
            return 0;
        }
    }

    private static void checkRate(double learningRate) {
        Rules.atLeast("learningRate", learningRate, Float.MIN_NORMAL);
    }

    private static void checkCoupledDecay(double weightDecay) {
        if (weightDecay != 0) {
            Rules.atLeast("weightDecay", weightDecay, Float.MIN_NORMAL);
        }
    }

    private static void checkMeans(double beta1, double beta2, double epsilon) {
        Rules.fraction("beta1", beta1);
        Rules.fraction("beta2", beta2);
        Rules.atLeast("epsilon", epsilon, Float.MIN_NORMAL);
    }
}
