/** One list of error codes, and the one place where an error becomes an RFC 9457 problem. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.problem;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
