/** Requests that may be sent again: under one key the effect is had once, and its answer kept. */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.idempotency;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
