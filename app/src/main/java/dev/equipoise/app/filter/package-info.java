/** The filter language of lists: its fields, its parser, and the translation to SQL. */
@ApplicationModule(allowedDependencies = "problem")
@NullMarked
package dev.equipoise.app.filter;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
