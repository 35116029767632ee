package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;

/**
 * Event: the surviving and joining ranks of a run have their new numbers and shares. Published in
 * the transaction that records it.
 *
 * @param generation generation that begins
 */
public record RunReconfigured(RunId run, int generation) {}
