package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/** A run has left a checkpoint; published in the transaction that says so. */
public record CheckpointKept(RunId run) {}
