/** How often anybody may ask, so that one caller's loop is not everybody's wait. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.rate;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
