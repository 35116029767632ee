/**
 * Allocators: compute which workers the ranks of a run get, and their shares and memory bounds,
 * from measured speeds.
 */
@ApplicationModule(
        allowedDependencies = {"worker", "measurement", "run", "configuration", "prediction"})
@NullMarked
package dev.equipoise.app.allocation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
