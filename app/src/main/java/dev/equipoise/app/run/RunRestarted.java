package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * Event: a run that lost its workers is queued for a restart. Published in the transaction that
 * records it.
 *
 * @param generation generation that has ended
 * @param epoch epoch after which it resumes; 0 for the beginning
 */
public record RunRestarted(RunId run, UUID project, int generation, int epoch) {}
