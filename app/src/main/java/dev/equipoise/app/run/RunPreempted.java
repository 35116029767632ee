package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * A run has made room for another, and waits again; published in the transaction that says so.
 *
 * @param generation the one that has ended
 * @param epoch after which it goes on
 */
public record RunPreempted(RunId run, UUID project, int generation, int epoch) {}
