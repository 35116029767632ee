package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.util.function.IntFunction;

/**
 * The compression of gradients that are pushed to servers, one frame for each shard.
 *
 * @param codecs creates the codec of a shard from its index; each call creates a new instance
 * @param errorFeedback whether replicas apply error feedback
 * @param seed of the run
 */
public record GradientCoding(IntFunction<Codec> codecs, boolean errorFeedback, long seed) {}
