/** Files that hold secrets. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.file;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
