package dev.equipoise.app.run;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunId;

/**
 * Event: a rank has reported the figures of an epoch. Published in the transaction that stores
 * them.
 *
 * @param isVirtual whether the seconds are those of a virtual clock
 */
public record EpochReported(RunId run, EpochFinished figures, boolean isVirtual) {}
