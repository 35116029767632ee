/**
 * Webhooks: signed deliveries of events to addresses that the owners of a project choose. Events go
 * through an outbox, so that a crash loses none.
 */
@ApplicationModule(
        allowedDependencies = {"account", "page", "patch", "problem", "revision", "run", "worker"})
@NullMarked
package dev.equipoise.app.webhook;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
