package dev.equipoise.agent.server;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the flat vector is cut, and who owns what. Shards follow each other without gaps.
 *
 * @param shards in the order of the vector
 */
public record Sharding(List<Shard> shards) {

    public Sharding {
        shards = List.copyOf(shards);
        long end = 0;
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            if (shard.index() != i || shard.offset() != end) {
                throw new IllegalArgumentException(
                        "shard %d must begin at byte %d, but it is %s".formatted(i, end, shard));
            }
            end += shard.bytes();
        }
    }

    /**
     * One range for each server, as even as elements allow; tensors may be cut. With one server the
     * whole vector is one shard.
     *
     * @param elements of the vector
     */
    public static Sharding byBytes(long elements, int servers) {
        return new Sharding(
                IntStream.range(0, servers)
                        .mapToObj(server -> {
                            long begin = Math.multiplyExact(server, elements) / servers;
                            long end = Math.multiplyExact(server + 1, elements) / servers;
                            return shard(server, server, begin, end - begin);
                        })
                        .toList());
    }

    /**
     * One shard for each layer, so that the gradient of one can travel while the next is computed.
     * The largest layers are given out first, each to the server with the least so far, which
     * leaves the fullest at most 4/3 of the optimum (Graham 1969).
     *
     * @param lengths of the layers' blocks in elements, in the order of the vector
     */
    public static Sharding byLayers(List<Long> lengths, int servers) {
        int[] owners = owners(lengths, servers);
        List<Shard> shards = new ArrayList<>();
        long begin = 0;
        for (int layer = 0; layer < lengths.size(); layer++) {
            shards.add(shard(layer, owners[layer], begin, lengths.get(layer)));
            begin += lengths.get(layer);
        }
        return new Sharding(shards);
    }

    private static int[] owners(List<Long> lengths, int servers) {
        int[] owners = new int[lengths.size()];
        long[] loads = new long[servers];
        IntStream.range(0, owners.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(lengths::get).reversed())
                .forEach(layer -> {
                    owners[layer] = emptiest(loads);
                    loads[owners[layer]] += lengths.get(layer);
                });
        return owners;
    }

    private static int emptiest(long[] loads) {
        int emptiest = 0;
        for (int server = 1; server < loads.length; server++) {
            if (loads[server] < loads[emptiest]) {
                emptiest = server;
            }
        }
        return emptiest;
    }

    private static Shard shard(int index, int server, long begin, long elements) {
        return new Shard(index, server, begin * Float.BYTES, elements * Float.BYTES);
    }

    /** What a server owns, in the order of the vector. */
    public List<Shard> of(int server) {
        return shards.stream().filter(shard -> shard.server() == server).toList();
    }

    /** Of the whole vector. */
    public long bytes() {
        return shards.stream().mapToLong(Shard::bytes).sum();
    }

    /** Refuses what is no whole vector. */
    void requireLength(MemorySegment vector) {
        if (vector.byteSize() != bytes()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(bytes(), vector.byteSize()));
        }
    }
}
