/**
 * Stores what ranks report of a run and reads it back by run, rank and step: metric points, epoch
 * figures, run events, traces and execution orders. The module knows no run, only its id.
 */
@ApplicationModule(allowedDependencies = {"account", "problem"})
@NullMarked
package dev.equipoise.app.telemetry;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
