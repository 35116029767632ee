/** Who asks, what they may do, and what they changed: users, projects, roles, tokens, the audit. */
@ApplicationModule(
        allowedDependencies = {"computing", "file", "page", "problem", "rate", "revision"})
@NullMarked
package dev.equipoise.app.account;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
