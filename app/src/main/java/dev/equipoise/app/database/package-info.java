/**
 * The database of a laboratory that has none of its own: PostgreSQL beside the service, on data
 * that survive both.
 */
@ApplicationModule(allowedDependencies = {"file", "problem"})
@NullMarked
package dev.equipoise.app.database;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
