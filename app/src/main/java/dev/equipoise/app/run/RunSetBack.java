package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * A run that lost its workers waits again; published in the transaction that says so.
 *
 * @param generation the one that has ended
 * @param epoch after which it goes on; 0 from its beginning
 */
public record RunSetBack(RunId run, UUID project, int generation, int epoch) {}
