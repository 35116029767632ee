/** Who shall do what, and how long that would take: shares, time models and their validation. */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "computing",
            "account",
            "worker",
            "profile",
            "experiment",
            "run"
        })
@NullMarked
package dev.equipoise.app.plan;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
