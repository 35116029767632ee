/**
 * Dispatch of work to agents: assignments with their leases and reports, the checkpoints that
 * belong to them, the usage that they cause, and the lease of the scheduler that offers them.
 */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "account",
            "checkpoint",
            "worker",
            "measurement",
            "run",
            "configuration",
            "observability",
            "recovery"
        })
@NullMarked
package dev.equipoise.app.dispatch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
