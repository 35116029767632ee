package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.RunId;

/**
 * A rank has told what an epoch came to; published in the transaction that keeps it.
 *
 * @param isVirtual whether its seconds are those of a virtual clock
 */
public record EpochTold(RunId run, EpochFinished figures, boolean isVirtual) {}
