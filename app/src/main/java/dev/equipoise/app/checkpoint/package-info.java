/**
 * Checkpoints of runs: files in a folder or a bucket, one for each rank, each written completely or
 * not at all. The newest complete checkpoints of a run are kept until it ends.
 */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.checkpoint;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
