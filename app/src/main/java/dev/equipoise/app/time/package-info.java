/**
 * Deadlines on clocks that jump: a clock that is set back prolongs none of them, and a clock that
 * is set forward does not end them while nobody could act.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.time;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
