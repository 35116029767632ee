/**
 * Optimizers, which turn a gradient into a step of the parameters; they are values without state of
 * their own.
 */
@NullMarked
package dev.equipoise.agent.optimizer;

import org.jspecify.annotations.NullMarked;
