/**
 * Where the time and the bytes of a rank's training go: the phases of its rounds, what it sends of
 * which kind, how stale what it applies is, and who waited for whom.
 */
@NullMarked
package dev.equipoise.agent.instrument;

import org.jspecify.annotations.NullMarked;
