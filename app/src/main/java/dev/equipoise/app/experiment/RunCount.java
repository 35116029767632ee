package dev.equipoise.app.experiment;

import java.util.UUID;

/** Counts the runs of experiments; implemented by the module that stores runs. */
public interface RunCount {

    /** Counts the runs of all versions of an experiment, including those that have ended. */
    long of(UUID experiment);
}
