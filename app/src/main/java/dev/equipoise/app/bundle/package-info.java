/**
 * Studies in one file: an experiment with what its runs came to, for another lab, which makes them
 * again and sees both side by side.
 */
@ApplicationModule(
        allowedDependencies = {
            "account",
            "computing",
            "experiment",
            "page",
            "problem",
            "profile",
            "run",
            "worker"
        })
@NullMarked
package dev.equipoise.app.bundle;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
