/**
 * Functional performance models and partitioners, which compute shares of equal time. The service
 * partitions before a run; the ranks partition between epochs under dynamic load balancing.
 */
@NullMarked
package dev.equipoise.performance.partition;

import org.jspecify.annotations.NullMarked;
