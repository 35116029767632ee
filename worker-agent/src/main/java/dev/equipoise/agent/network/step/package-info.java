/**
 * Parts of a compiled network, and the interface to numeric libraries: a {@code Backend} makes
 * steps over given memory. All tensors are row-major; images as batch, height, width, channels;
 * sequences as position, batch, features.
 */
@NullMarked
package dev.equipoise.agent.network.step;

import org.jspecify.annotations.NullMarked;
