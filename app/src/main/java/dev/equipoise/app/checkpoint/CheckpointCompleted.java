package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;

/**
 * Event: all ranks of a run have stored their parts of a checkpoint. Published in the transaction
 * that records it.
 *
 * @param generation generation of the ranks
 * @param epoch epoch after which a run resumes from the checkpoint
 */
public record CheckpointCompleted(RunId run, int generation, int epoch) {}
