/** Idempotent requests: the service executes a request once per key and stores its response. */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.idempotency;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
