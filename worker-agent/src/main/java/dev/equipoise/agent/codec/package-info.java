/**
 * Gradient compression: codecs turn a float32 vector into the payload of a frame and back, and
 * error feedback keeps what a codec omitted for the next round.
 */
@NullMarked
package dev.equipoise.agent.codec;

import org.jspecify.annotations.NullMarked;
