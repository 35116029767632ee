package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * Parts of checkpoints that will never be whole are not kept any more; published in the transaction
 * that says so.
 *
 * @param generation whose ranks have left them
 * @param epoch up to which they were
 */
public record PartsForgotten(RunId run, int generation, int epoch) {}
