/**
 * Schedules runs and measurements on workers: queue order, gang placement, preemption, elastic
 * scaling, and liveness checks.
 */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "computing",
            "account",
            "worker",
            "configuration",
            "measurement",
            "run",
            "allocation",
            "plan",
            "dispatch",
            "queue",
            "recovery"
        })
@NullMarked
package dev.equipoise.app.schedule;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
