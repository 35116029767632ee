/**
 * Discrete-event simulation of runs: predicts their times from computing times, links and servers,
 * without gradients. Each method follows the steps of its replicas.
 */
@NullMarked
package dev.equipoise.performance.simulation;

import org.jspecify.annotations.NullMarked;
