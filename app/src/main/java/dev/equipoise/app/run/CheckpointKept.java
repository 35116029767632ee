package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * All ranks of a run have left their part of a checkpoint; published in the transaction that says
 * so.
 *
 * @param generation whose ranks they are
 * @param epoch after which it goes on
 */
public record CheckpointKept(RunId run, int generation, int epoch) {}
