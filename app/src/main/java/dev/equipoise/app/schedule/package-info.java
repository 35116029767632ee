/**
 * Who works on what: the queue, the placement of all replicas at once, leases, reports, and the
 * reaper.
 */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "computing",
            "account",
            "checkpoint",
            "worker",
            "profile",
            "experiment",
            "run",
            "plan",
            "telemetry"
        })
@NullMarked
package dev.equipoise.app.schedule;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
