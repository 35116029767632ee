/** Cursor pagination of lists: each page begins where the one before it ended. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.page;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
