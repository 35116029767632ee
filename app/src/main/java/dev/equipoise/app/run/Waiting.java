package dev.equipoise.app.run;

/**
 * Why a run waits.
 *
 * @param code for programs, for example {@code too-few-workers}
 * @param message for people
 */
public record Waiting(String code, String message) {}
