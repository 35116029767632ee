/** Threads for computations of seconds, such as plans, with a limit of waiting computations. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.computing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
