package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import java.util.List;

/**
 * What a completed run has learnt.
 *
 * @param looks at the test set, by ascending epoch
 */
public record Learned(RunConfiguration configuration, List<Look> looks) {

    public Learned {
        looks = List.copyOf(looks);
    }

    /** The test accuracy after an epoch. */
    public record Look(int epoch, double accuracy) {}
}
