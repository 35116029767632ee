package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * Event: a run was preempted and is queued again. Published in the transaction that records it.
 *
 * @param generation generation that has ended
 * @param epoch epoch after which it resumes
 */
public record RunPreempted(RunId run, UUID project, int generation, int epoch) {}
