/** The files of the dashboard, and the page for every address that a browser may show of it. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.dashboard;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
