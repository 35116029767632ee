package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;

/**
 * Event: checkpoint parts that can no longer form a whole checkpoint were discarded. Published in
 * the transaction that records it.
 *
 * @param generation generation of the ranks that stored the parts
 * @param epoch last epoch of the discarded parts
 */
public record CheckpointPartsDiscarded(RunId run, int generation, int epoch) {}
