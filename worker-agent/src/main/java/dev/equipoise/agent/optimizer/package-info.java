/**
 * How a gradient becomes a step of the parameters; optimizers are values and keep no state of their
 * own.
 */
@NullMarked
package dev.equipoise.agent.optimizer;

import org.jspecify.annotations.NullMarked;
