/**
 * Profiles, which measure the speed functions of workers, and link measurements: their requests and
 * results.
 */
@ApplicationModule(allowedDependencies = {"problem", "page", "account", "worker"})
@NullMarked
package dev.equipoise.app.measurement;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
