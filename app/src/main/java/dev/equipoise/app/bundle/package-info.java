/**
 * Study bundles: one file with an experiment and the results of its runs, with which another lab
 * repeats the runs and compares the results.
 */
@ApplicationModule(
        allowedDependencies = {
            "account",
            "computing",
            "configuration",
            "experiment",
            "file",
            "page",
            "problem",
            "measurement",
            "run",
            "worker",
            "prediction",
            "recovery"
        })
@NullMarked
package dev.equipoise.app.bundle;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
