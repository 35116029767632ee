package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * What the learning rate is multiplied by as the training goes on. Each begins with a warm-up, over
 * which the factor grows evenly with every step until it is 1 (Goyal et al. 2017, Accurate, Large
 * Minibatch SGD, section 2.2).
 *
 * <p>The mathematics is {@link StrictMath}'s: replicas on unlike machines must get the same bits.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Schedule.Constant.class, name = "constant"),
    @JsonSubTypes.Type(value = Schedule.Step.class, name = "step"),
    @JsonSubTypes.Type(value = Schedule.Cosine.class, name = "cosine")
})
public sealed interface Schedule {

    /** How many epochs the warm-up takes; 0 for none, and fractions are epochs as well. */
    double warmUp();

    /**
     * The factor for a step.
     *
     * @param step how many steps were made before it
     * @param epochs of the whole run
     */
    default double factor(long step, int stepsPerEpoch, int epochs) {
        double warmUpSteps = warmUp() * stepsPerEpoch;
        double warmth = step + 1 < warmUpSteps ? (step + 1) / warmUpSteps : 1;
        return warmth
                * switch (this) {
                    case Constant _ -> 1;
                    case Step(int every, double factor, _) -> {
                        long stepsDown = step / stepsPerEpoch / every;
                        yield StrictMath.pow(factor, (double) stepsDown);
                    }
                    case Cosine(double floor, _) -> {
                        double steps = (double) epochs * stepsPerEpoch - warmUpSteps;
                        double way = Math.clamp((step - warmUpSteps) / Math.max(1, steps), 0.0, 1);
                        yield floor + (1 - floor) * (1 + StrictMath.cos(StrictMath.PI * way)) / 2;
                    }
                };
    }

    /** 1, all the time. */
    record Constant(double warmUp) implements Schedule {

        public Constant {
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }

    /** Multiplied by {@code factor} after every so many epochs, counted from the first of all. */
    record Step(int every, double factor, double warmUp) implements Schedule {

        public Step {
            Rules.atLeast("every", every, 1);
            Rules.between("factor", factor, Float.MIN_NORMAL, 1);
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }

    /**
     * Half a cosine from 1, after the warm-up, down to {@code floor} at the end of the last epoch
     * (Loshchilov and Hutter 2017, SGDR, equation 5, without restarts).
     */
    record Cosine(double floor, double warmUp) implements Schedule {

        public Cosine {
            Rules.between("floor", floor, 0, 1);
            Rules.atLeast("warmUp", warmUp, 0.0);
        }
    }
}
