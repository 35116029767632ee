/**
 * Queued runs as the scheduler sees them: their wait reasons, positions with predicted starts, and
 * the runtime history of similar runs. {@code schedule} decides which run starts.
 */
@ApplicationModule(allowedDependencies = {"problem", "recovery", "configuration"})
@NullMarked
package dev.equipoise.app.queue;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
