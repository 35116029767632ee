/**
 * Checkpoints of runs: files in a folder or a bucket, one of each rank, each written whole or not
 * at all. Of a run the newest that all ranks have left are kept until it is over.
 */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.checkpoint;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
