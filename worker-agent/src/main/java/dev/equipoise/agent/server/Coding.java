package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.util.function.IntFunction;

/**
 * How gradients are coded on their way to the servers, one frame for each shard.
 *
 * @param codecs makes the codec of a shard, whose index it is given; a codec of its own each time
 * @param errorFeedback whether the workers keep what a frame leaves out for the next one
 * @param seed of the run
 */
public record Coding(IntFunction<Codec> codecs, boolean errorFeedback, long seed) {}
