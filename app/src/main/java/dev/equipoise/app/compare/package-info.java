/**
 * Comparison of runs: the costs and results of each run against a baseline, with seed groups and
 * confidence intervals.
 */
@ApplicationModule(
        allowedDependencies = {"account", "configuration", "run", "prediction", "problem"})
@NullMarked
package dev.equipoise.app.compare;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
