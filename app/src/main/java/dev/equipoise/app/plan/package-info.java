/**
 * Predictions of configurations before they run: the epoch time model, the ranking of alternatives,
 * automatic configuration, and runtime estimates. {@code prediction} stores the results.
 */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "computing",
            "account",
            "worker",
            "configuration",
            "measurement",
            "experiment",
            "run",
            "allocation",
            "prediction"
        })
@NullMarked
package dev.equipoise.app.plan;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
