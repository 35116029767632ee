/**
 * The database connection, and an embedded PostgreSQL for labs without a database of their own. Its
 * data survive the service and the server.
 */
@ApplicationModule(allowedDependencies = {"file", "problem"})
@NullMarked
package dev.equipoise.app.database;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
