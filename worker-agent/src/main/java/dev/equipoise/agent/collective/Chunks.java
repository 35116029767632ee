package dev.equipoise.agent.collective;

/**
 * The chunks of a vector, of equal length up to one element: chunk c of n holds the elements
 * floor(c d / n) to floor((c + 1) d / n) - 1 of d elements; some chunks are empty if d is less than
 * n.
 *
 * @param start of the vector in memory, in bytes
 * @param elements length of the vector, in float32 elements
 * @param count number of chunks
 */
record Chunks(long start, long elements, int count) {

    /** The offset of a chunk in bytes; the index is taken modulo the number of chunks. */
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
