/** Runs laid side by side: predicted and measured epochs, phases of each rank, speed-up. */
@ApplicationModule(allowedDependencies = {"account", "experiment", "run"})
@NullMarked
package dev.equipoise.app.compare;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
