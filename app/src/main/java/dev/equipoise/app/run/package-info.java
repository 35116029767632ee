/** The life of a run: its states, its replicas, and the figures that they report. */
@ApplicationModule(
        allowedDependencies = {
            "problem",
            "page",
            "revision",
            "account",
            "checkpoint",
            "experiment"
        })
@NullMarked
package dev.equipoise.app.run;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
