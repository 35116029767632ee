/**
 * Runs laid side by side: what each cost and reached, beside the first; runs that differ by their
 * seeds alone as one group, with confidence intervals.
 */
@ApplicationModule(allowedDependencies = {"account", "experiment", "run"})
@NullMarked
package dev.equipoise.app.compare;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
