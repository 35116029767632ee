/**
 * Definitions: read, checked as a whole, expanded over matrix and seeds into run configurations.
 */
@ApplicationModule(allowedDependencies = {"problem", "page", "revision", "account"})
@NullMarked
package dev.equipoise.app.experiment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
