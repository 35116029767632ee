/**
 * Profiling: measures the points of this worker's speed functions for training steps and matrix
 * products.
 */
@NullMarked
package dev.equipoise.agent.profile;

import org.jspecify.annotations.NullMarked;
