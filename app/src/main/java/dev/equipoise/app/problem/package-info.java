/** Error codes of the API, and the conversion of errors into RFC 9457 problems. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.equipoise.app.problem;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
