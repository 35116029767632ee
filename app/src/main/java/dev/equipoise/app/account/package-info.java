/** Who asks: projects, tokens, and the authentication of people and agents. */
@ApplicationModule(allowedDependencies = {"file", "problem"})
@NullMarked
package dev.equipoise.app.account;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
