/** Files that hold secrets, and the free space of the disk of the data folder. */
@ApplicationModule(allowedDependencies = {"problem"})
@NullMarked
package dev.equipoise.app.file;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
