/**
 * Revisions of resources, so that no caller changes a state that it has not seen (optimistic
 * concurrency control).
 */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.revision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
