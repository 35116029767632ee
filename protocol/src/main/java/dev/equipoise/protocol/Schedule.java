package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * Learning rate schedule: a factor over the steps of a run. Each begins with a warm-up, in which
 * the factor grows linearly to 1 (Goyal et al. 2017, Accurate, Large Minibatch SGD, section 2.2).
 *
 * <p>It uses {@link StrictMath}, since replicas on different machines must compute the same bits.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Schedule.Constant.class, name = "constant"),
    @JsonSubTypes.Type(value = Schedule.Step.class, name = "step"),
    @JsonSubTypes.Type(value = Schedule.Cosine.class, name = "cosine")
})
public sealed interface Schedule {

    /** Returns the length of the warm-up in epochs, possibly fractional; 0 for none. */
    double warmUp();

    /**
     * Returns the factor of a step.
     *
     * @param step number of steps made before it
     * @param epochs of the whole run
     */
    default double factor(long step, int stepsPerEpoch, int epochs) {
        double warmUpSteps = warmUp() * stepsPerEpoch;
        double warmUpFactor = step + 1 < warmUpSteps ? (step + 1) / warmUpSteps : 1;
        return warmUpFactor
                * switch (this) {
                    case Constant _ -> 1;
                    case Step(int every, double factor, _) -> {
                        long stepsDown = step / stepsPerEpoch / every;
                        yield StrictMath.pow(factor, (double) stepsDown);
                    }
                    case Cosine(double floor, _) -> {
                        double steps = (double) epochs * stepsPerEpoch - warmUpSteps;
                        double done = Math.clamp((step - warmUpSteps) / Math.max(1, steps), 0.0, 1);
                        yield floor + (1 - floor) * (1 + StrictMath.cos(StrictMath.PI * done)) / 2;
                    }
                };
    }

    /**
     * Constant factor 1.
     *
     * @param warmUp epochs in which the factor rises from 0 to 1
     */
    record Constant(double warmUp) implements Schedule {

        public Constant {
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }

    /**
     * Multiplied by {@code factor} after every {@code every} epochs, counted from the start of the
     * run.
     *
     * @param every epochs between two multiplications
     * @param factor factor of each multiplication
     * @param warmUp epochs in which the factor rises from 0 to 1
     */
    record Step(int every, double factor, double warmUp) implements Schedule {

        public Step {
            Rules.atLeast("every", every, 1);
            Rules.between("factor", factor, Float.MIN_NORMAL, 1);
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }

    /**
     * Cosine annealing from 1 after the warm-up to {@code floor} at the end of the last epoch
     * (Loshchilov and Hutter 2017, SGDR, equation 5, without restarts).
     *
     * @param floor factor at the end of the last epoch
     * @param warmUp epochs in which the factor rises from 0 to 1
     */
    record Cosine(double floor, double warmUp) implements Schedule {

        public Cosine {
            Rules.between("floor", floor, 0, 1);
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }
}
