/** Synchronization methods: when, with which ranks and how the replicas of a run synchronize. */
@NullMarked
package dev.equipoise.agent.synchronization;

import org.jspecify.annotations.NullMarked;
