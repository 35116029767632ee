/** Users, projects, roles, tokens, sessions and the audit log. */
@ApplicationModule(
        allowedDependencies = {"computing", "file", "page", "patch", "problem", "rate", "revision"})
@NullMarked
package dev.equipoise.app.account;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
