package dev.equipoise.agent.server;

/**
 * A server shard: a range of the flat float32 weight vector that has one owner and one version.
 *
 * @param index among all shards, in the order of the vector
 * @param server the rank that owns it
 * @param offset in bytes
 * @param bytes length of its values
 */
public record Shard(int index, int server, long offset, long bytes) {

    public Shard {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "shard %d must have at least 0 bytes, but has %d".formatted(index, bytes));
        }
    }

    /** Returns whether this is the first shard of the vector, which coordinates barriers. */
    boolean isLeading() {
        return index == 0;
    }

    long elements() {
        return bytes / Float.BYTES;
    }
}
