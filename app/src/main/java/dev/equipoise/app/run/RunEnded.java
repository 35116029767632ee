package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/** A run has come to its end; published in the transaction that says so. */
public record RunEnded(RunId run, RunState state) {}
