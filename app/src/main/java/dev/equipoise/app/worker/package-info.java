/** Registered agents: their join, signs of life, state and view of the cluster. */
@ApplicationModule(allowedDependencies = {"problem", "page", "account"})
@NullMarked
package dev.equipoise.app.worker;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
