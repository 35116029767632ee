package dev.equipoise.agent.server;

/**
 * A range of the flat vector of float32 weights that has one owner and one version.
 *
 * @param index among all shards, in the order of the vector
 * @param server the rank that owns it
 * @param offset in bytes
 * @param bytes of its values; a frame holds less than 2 GB
 */
public record Shard(int index, int server, long offset, long bytes) {

    public Shard {
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "shard %d must have from 0 to %d bytes, but has %d: more servers, or layers, make"
                                    .formatted(index, Integer.MAX_VALUE, bytes)
                            + " them smaller");
        }
    }

    long elements() {
        return bytes / Float.BYTES;
    }
}
