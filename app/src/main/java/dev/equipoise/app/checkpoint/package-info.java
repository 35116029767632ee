/**
 * Checkpoints of runs: files beside the database, each written whole or not at all, of which the
 * newest of a run is kept until the run is over.
 */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.checkpoint;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
