/** When and with whom the replicas of a run agree on a gradient. */
@NullMarked
package dev.equipoise.agent.synchronization;

import org.jspecify.annotations.NullMarked;
