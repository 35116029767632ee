package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What servers and workers of a run agree on; equal on all ranks.
 *
 * @param coding empty where gradients travel as they are
 */
public record Terms(Roles roles, Sharding sharding, Mode mode, Optional<Coding> coding) {

    /** Refuses shards that a worker would own. */
    public Terms {
        roles.requireServed(sharding);
    }

    /** Gradients travel as they are. */
    public Terms(Roles roles, Sharding sharding, Mode mode) {
        this(roles, sharding, mode, Optional.empty());
    }

    /** For the gradients of a shard; null where they travel as they are. */
    @Nullable Codec codec(Shard shard) {
        return coding.map(it -> it.codecs().apply(shard.index())).orElse(null);
    }

    /** For the answers of servers that aggregate; null where values travel as they are. */
    @Nullable Codec answerCodec() {
        return mode instanceof Mode.Aggregating && coding.isPresent() ? Codec.threshold(0) : null;
    }
}
