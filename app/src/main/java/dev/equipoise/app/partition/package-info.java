/** Functional performance models and partitioners: values in, values out, nothing else. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.partition;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
