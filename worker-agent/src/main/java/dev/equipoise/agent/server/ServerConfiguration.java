package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that servers and replicas of a run share; equal on all ranks.
 *
 * @param coding empty if gradients are sent uncompressed
 */
public record ServerConfiguration(
        Roles roles, Sharding sharding, Mode mode, Optional<GradientCoding> coding) {

    /** Checks that a server owns each shard. */
    public ServerConfiguration {
        roles.requireServed(sharding);
    }

    /** Creates a configuration with uncompressed gradients. */
    public ServerConfiguration(Roles roles, Sharding sharding, Mode mode) {
        this(roles, sharding, mode, Optional.empty());
    }

    /** Creates the codec for the gradients of a shard; null if they are sent uncompressed. */
    @Nullable Codec codec(Shard shard) {
        return coding.map(it -> it.codecs().apply(shard.index())).orElse(null);
    }

    /**
     * Creates the codec for the answers of servers that only aggregate; null if values are sent
     * uncompressed.
     */
    @Nullable Codec answerCodec() {
        return mode instanceof Mode.Aggregating && coding.isPresent() ? Codec.threshold(0) : null;
    }
}
