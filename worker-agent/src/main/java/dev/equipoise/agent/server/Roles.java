package dev.equipoise.agent.server;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The roles of the ranks: the first ranks are servers, which hold weights and compute nothing; all
 * others are replicas.
 *
 * @param servers number of servers, from 1
 * @param ranks number of all ranks, greater than {@code servers}
 */
public record Roles(int servers, int ranks) {

    public Roles {
        if (servers < 1 || servers >= ranks) {
            throw new IllegalArgumentException(
                    "of %d ranks, 1 to %d can be servers, but %d are configured"
                            .formatted(ranks, ranks - 1, servers));
        }
    }

    public boolean isServer(int rank) {
        return rank < servers;
    }

    /** Checks that a server owns each shard. */
    void requireServed(Sharding sharding) {
        for (Shard shard : sharding.shards()) {
            if (!isServer(shard.server())) {
                throw new IllegalArgumentException(
                        "only the first %d ranks are servers, but there is %s"
                                .formatted(servers, shard));
            }
        }
    }

    /** The ranks of the replicas, in ascending order. */
    public List<Integer> replicas() {
        return IntStream.range(servers, ranks).boxed().toList();
    }
}
