package dev.equipoise.app.problem;

import java.util.regex.Pattern;

/**
 * Paths with another limit for bodies, which are not texts.
 *
 * @param at matches the paths
 * @param mostBytes the limit of a body, in bytes
 * @param isStreamed whether the receiver reads the body while it arrives; other bodies are
 *     completely in memory before anything reads them
 */
public record BodyLimitExemption(Pattern at, long mostBytes, boolean isStreamed) {}
