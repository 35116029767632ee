/** Serves the files of the dashboard, and its page at every address of the dashboard. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.dashboard;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
