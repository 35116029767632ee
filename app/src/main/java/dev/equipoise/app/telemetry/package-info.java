/**
 * What those who run the lab see of it: counters, gauges and times for Prometheus, and one trace of
 * each run. It listens to what the features tell; they know nothing of it.
 */
@ApplicationModule(allowedDependencies = {"computing", "run", "worker"})
@NullMarked
package dev.equipoise.app.telemetry;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
