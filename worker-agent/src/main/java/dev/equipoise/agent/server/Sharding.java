package dev.equipoise.agent.server;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts the flat vector into shards, each owned by a server. Shards follow each other without gaps.
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
     * Creates one range for each server, of equal length up to one element; tensors may be cut.
     * With one server the whole vector is one shard.
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
     * Creates, for each bucket of whole layers, one range for each server, of equal length up to
     * one element, so that all servers sum each bucket.
     *
     * @param lengths of the buckets in elements, in the order of the vector
     */
    public static Sharding byBuckets(List<Long> lengths, int servers) {
        List<Shard> shards = new ArrayList<>();
        long begin = 0;
        for (long length : lengths) {
            for (Shard part : byBytes(length, servers).shards()) {
                long offset = begin + part.offset() / Float.BYTES;
                shards.add(shard(shards.size(), part.server(), offset, part.elements()));
            }
            begin += length;
        }
        return new Sharding(shards);
    }

    /**
     * Creates one shard for each layer, so that the gradient of one layer can be sent while the
     * next is computed. Assigns the largest layers first, each to the server with the least load so
     * far, which gives the fullest server at most 4/3 of the optimum (longest processing time
     * first, Graham 1969).
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
                    owners[layer] = leastLoaded(loads);
                    loads[owners[layer]] += lengths.get(layer);
                });
        return owners;
    }

    private static int leastLoaded(long[] loads) {
        int leastLoaded = 0;
        for (int server = 1; server < loads.length; server++) {
            if (loads[server] < loads[leastLoaded]) {
                leastLoaded = server;
            }
        }
        return leastLoaded;
    }

    private static Shard shard(int index, int server, long begin, long elements) {
        return new Shard(index, server, begin * Float.BYTES, elements * Float.BYTES);
    }

    /** Returns the shards of a server, in the order of the vector. */
    public List<Shard> of(int server) {
        return shards.stream().filter(shard -> shard.server() == server).toList();
    }

    /** Length of the whole vector, in bytes. */
    public long bytes() {
        return shards.stream().mapToLong(Shard::bytes).sum();
    }

    /** Checks that a vector has the length of the whole vector. */
    void requireLength(MemorySegment vector) {
        if (vector.byteSize() != bytes()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(bytes(), vector.byteSize()));
        }
    }
}
