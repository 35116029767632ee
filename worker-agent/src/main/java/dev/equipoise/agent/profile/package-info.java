/**
 * Measures how long this worker needs for a training step and for a matrix product at given sizes:
 * the points of its speed functions.
 */
@NullMarked
package dev.equipoise.agent.profile;

import org.jspecify.annotations.NullMarked;
