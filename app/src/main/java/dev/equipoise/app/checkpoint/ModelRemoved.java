package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;

/**
 * Event: the model of a run was removed, maybe together with the run. Published in the transaction
 * that records it.
 */
public record ModelRemoved(RunId run) {}
