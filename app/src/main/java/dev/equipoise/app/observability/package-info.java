/**
 * Monitoring of the lab: counters, gauges and timers for Prometheus, and one trace of each run. The
 * module listens to the events of other modules, which do not depend on it.
 */
@ApplicationModule(allowedDependencies = {"computing", "run", "worker", "recovery"})
@NullMarked
package dev.equipoise.app.observability;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
