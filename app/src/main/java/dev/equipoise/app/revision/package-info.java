/** States of a resource that are told apart, so that nobody changes what they have not seen. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.revision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
