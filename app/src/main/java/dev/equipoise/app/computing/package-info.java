/** Computes what takes long, on threads of its own. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.computing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
