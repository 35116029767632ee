/** Experiments: their definitions, read, checked and expanded into run configurations. */
@ApplicationModule(
        allowedDependencies = {"problem", "page", "patch", "revision", "account", "configuration"})
@NullMarked
package dev.equipoise.app.experiment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
