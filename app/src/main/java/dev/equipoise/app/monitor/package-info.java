/**
 * API for watching runs: their curves, events, logs, placements, waterfalls, traces and execution
 * orders, while they run and afterwards.
 */
@ApplicationModule(
        allowedDependencies = {
            "account",
            "page",
            "problem",
            "run",
            "telemetry",
            "prediction",
            "queue",
            "recovery",
            "configuration"
        })
@NullMarked
package dev.equipoise.app.monitor;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
