/** Speed functions of the workers: requests to measure them and what was measured. */
@ApplicationModule(allowedDependencies = {"problem", "worker"})
@NullMarked
package dev.equipoise.app.profile;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
