package dev.equipoise.agent.collective;

/**
 * A vector cut as evenly as elements allow: chunk c of d elements is floor(c d / n) .. floor((c +
 * 1) d / n), empty for some where d is less than n.
 *
 * @param start of the vector in memory, in bytes
 * @param elements of float32
 * @param count of chunks
 */
record Chunks(long start, long elements, int count) {

    /** In bytes; an index of any size and sign goes round. */
    long offset(int index) {
        return start + boundary(Math.floorMod(index, count)) * Float.BYTES;
    }

    long bytes(int index) {
        int chunk = Math.floorMod(index, count);
        return (boundary(chunk + 1) - boundary(chunk)) * Float.BYTES;
    }

    private long boundary(int chunk) {
        return Math.multiplyExact(chunk, elements) / count;
    }
}
