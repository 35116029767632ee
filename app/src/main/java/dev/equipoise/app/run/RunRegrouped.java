package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * The ranks of a run that are left, or others with them, have their new places; published in the
 * transaction that says so.
 *
 * @param generation the one that begins
 */
public record RunRegrouped(RunId run, int generation) {}
