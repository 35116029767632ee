package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * Event: a run has lost a rank through no fault of its definition. Published in the transaction
 * that records it.
 */
public record RankLost(RunId run, int generation, int rank) {

    static RankLost of(Run run, RunRank runRank) {
        return new RankLost(RunId.of(run.id()), run.generation(), runRank.rank());
    }
}
