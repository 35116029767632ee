package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;

/**
 * Event: the model of a run was replaced or removed, maybe together with the run. Published in the
 * transaction that records it.
 */
public record ModelChanged(RunId run) {}
