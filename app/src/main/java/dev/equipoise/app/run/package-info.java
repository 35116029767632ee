/**
 * Runs: their states from queued to ended, their ranks, and the figures that the ranks report.
 * {@code schedule} decides when a run changes its workers; this package applies it.
 */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "page",
            "revision",
            "account",
            "checkpoint",
            "configuration",
            "experiment",
            "file",
            "filter",
            "patch",
            "telemetry",
            "prediction",
            "queue",
            "recovery",
            "time"
        })
@NullMarked
package dev.equipoise.app.run;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
