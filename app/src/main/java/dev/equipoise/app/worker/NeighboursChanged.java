package dev.equipoise.app.worker;

/** A worker has come, gone or moved; published in the transaction in which it did. */
record NeighboursChanged() {}
