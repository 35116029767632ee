/** The model of run configurations and stored experiments; {@code experiment} creates it. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.configuration;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
