/**
 * What a compiled network is made of, and the border to what computes it: a {@code Backend} makes
 * steps over memory that is already there. Everything lies row-major; images as batch, height,
 * width, channels; sequences as position, batch, features.
 */
@NullMarked
package dev.equipoise.agent.network.step;

import org.jspecify.annotations.NullMarked;
