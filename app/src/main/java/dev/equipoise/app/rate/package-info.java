/** Rate limits, so that a loop of one caller does not slow down all others. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.rate;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
