/**
 * Makes gradients smaller on their way: codecs turn a float32 vector into the payload of a frame
 * and back, and error feedback keeps what a codec left out for the next round.
 */
@NullMarked
package dev.equipoise.agent.codec;

import org.jspecify.annotations.NullMarked;
