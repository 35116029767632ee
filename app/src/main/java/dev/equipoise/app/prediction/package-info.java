/**
 * Stored predictions of runs, and their errors against the measured times; {@code plan} predicts.
 */
@ApplicationModule(allowedDependencies = {"telemetry", "configuration"})
@NullMarked
package dev.equipoise.app.prediction;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
