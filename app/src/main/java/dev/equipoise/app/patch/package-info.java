/** JSON merge patches (RFC 7396), the bodies of {@code PATCH}. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.patch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
