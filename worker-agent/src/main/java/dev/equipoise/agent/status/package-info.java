/**
 * What others see of the agent: whether it lives, whether it is ready, and its figures, over HTTP.
 * Nothing of it is on the way of the training.
 */
@NullMarked
package dev.equipoise.agent.status;

import org.jspecify.annotations.NullMarked;
