package dev.equipoise.app.problem;

import java.util.regex.Pattern;

/**
 * A place where bodies may be larger than elsewhere.
 *
 * @param at the paths
 * @param mostBytes of a body there
 */
public record LargerBodies(Pattern at, long mostBytes) {}
