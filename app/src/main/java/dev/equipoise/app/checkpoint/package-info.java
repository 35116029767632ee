/**
 * Checkpoints and trained models of runs: files in a folder or a bucket, each written completely or
 * not at all. The newest complete checkpoints of a run, one file for each rank, are kept until it
 * ends, and its model until it is removed.
 */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.checkpoint;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
