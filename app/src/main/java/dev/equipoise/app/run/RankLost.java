package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * A run has lost a rank, by no fault of its definition; published in the transaction that says so.
 */
public record RankLost(RunId run, int generation, int rank) {}
