package dev.equipoise.app.experiment;

import java.util.UUID;

/** How many runs came from experiments, as who keeps the runs knows. */
public interface RunCount {

    /** Of all versions of an experiment, those that are over included. */
    long of(UUID experiment);
}
