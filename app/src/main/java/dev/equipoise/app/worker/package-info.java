/** Registered agents: registration, heartbeats, state, cordon and cluster view. */
@ApplicationModule(allowedDependencies = {"problem", "page", "patch", "account", "time"})
@NullMarked
package dev.equipoise.app.worker;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
