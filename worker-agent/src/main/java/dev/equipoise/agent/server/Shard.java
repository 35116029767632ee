package dev.equipoise.agent.server;

/**
 * A range of the flat vector of float32 weights that has one owner and one version.
 *
 * @param index among all shards, in the order of the vector
 * @param server the rank that owns it
 * @param offset in bytes
 * @param bytes of its values
 */
public record Shard(int index, int server, long offset, long bytes) {

    public Shard {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "shard %d must not have less than nothing, but has %d bytes"
                            .formatted(index, bytes));
        }
    }

    /** Whether it is the first of the vector, which sets the pace where one must. */
    boolean isLeading() {
        return index == 0;
    }

    long elements() {
        return bytes / Float.BYTES;
    }
}
