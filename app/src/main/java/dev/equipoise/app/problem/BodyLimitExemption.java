package dev.equipoise.app.problem;

import java.util.regex.Pattern;

/**
 * Paths with a larger limit for bodies.
 *
 * @param at matches the paths
 * @param mostBytes the limit of a body, in bytes
 */
public record BodyLimitExemption(Pattern at, long mostBytes) {}
