/**
 * Decisions for runs that lost ranks, as pure functions of the reports of the ranks: which ranks
 * survive, from which epoch they resume, and whether the run restarts or fails.
 */
@ApplicationModule(allowedDependencies = {"configuration", "time"})
@NullMarked
package dev.equipoise.app.recovery;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
