package dev.equipoise.app.recovery;

import dev.equipoise.protocol.FailureCause;

/**
 * Failure of a run.
 *
 * @param cause party that caused the failure
 * @param code code for programs, for example {@code worker-lost}
 * @param message text for people
 */
public record RunFailure(FailureCause cause, String code, String message) {}
