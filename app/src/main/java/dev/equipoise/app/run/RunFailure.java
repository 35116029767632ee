package dev.equipoise.app.run;

import dev.equipoise.protocol.FailureCause;

/**
 * Why a run failed.
 *
 * @param code for programs, for example {@code worker-lost}
 * @param message for people
 */
public record RunFailure(FailureCause cause, String code, String message) {}
