package dev.equipoise.agent.server;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who serves and who trains: the first ranks keep weights and compute nothing, all others are
 * workers.
 *
 * @param servers from 1
 * @param ranks in all, so that at least one is left to train
 */
public record Roles(int servers, int ranks) {

    public Roles {
        if (servers < 1 || servers >= ranks) {
            throw new IllegalArgumentException(
                    "of %d ranks, 1 to %d may serve, but %d should"
                            .formatted(ranks, ranks - 1, servers));
        }
    }

    public boolean isServer(int rank) {
        return rank < servers;
    }

    /** Refuses shards that a worker would own. */
    void requireServed(Sharding sharding) {
        for (Shard shard : sharding.shards()) {
            if (!isServer(shard.server())) {
                throw new IllegalArgumentException(
                        "the first %d ranks serve, but there is %s".formatted(servers, shard));
            }
        }
    }

    /** The ranks of the workers, in their order. */
    public List<Integer> workers() {
        return IntStream.range(servers, ranks).boxed().toList();
    }
}
