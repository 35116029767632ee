/**
 * Speed functions of the workers and the costs of the links between them: requests to measure them
 * and what was measured.
 */
@ApplicationModule(allowedDependencies = {"problem", "page", "account", "worker"})
@NullMarked
package dev.equipoise.app.profile;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
