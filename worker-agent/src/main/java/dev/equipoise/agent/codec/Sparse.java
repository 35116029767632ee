package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes sparse frames: the indices of some elements of a vector in the shortest
 * coding, then their values.
 */
final class Sparse {

    private final Kernels kernels;
    private final Block block;
    private final Bitmap chosen = new Bitmap();
    private final float[] values = new float[Block.MAX_LENGTH + Kernels.LANES];
    private int count;

    Sparse(Kernels kernels) {
        this.kernels = kernels;
        this.block = new Block(kernels);
    }

    /**
     * Returns the largest payload of a frame, in bytes.
     *
     * @param elements length of the vector
     * @param limit largest number of elements sent
     */
    static long largestPayload(int elements, int limit) {
        return Bitmap.bytes(elements) + (long) Float.BYTES * Math.min(limit, elements);
    }

    /**
     * Encodes the selected elements in one pass over the vector. The values are first written
     * behind the space for the longest indices, a bitmap, and are moved once the coding of the
     * indices is known.
     *
     * @param limit number of elements for which there is space
     * @return null if the threshold selects more elements
     * @throws NotFinite if an element is not finite
     */
    @Nullable Frame encode(
            int codec,
            MemorySegment vector,
            MagnitudeThreshold threshold,
            int limit,
            MemorySegment buffer) {
        int elements = Block.elements(vector);
        chosen.resize(elements);
        gather(
                vector,
                threshold,
                limit,
                FrameChecks.buffer(buffer, largestPayload(elements, limit)));
        if (count > limit) {
            return null;
        }
        IndexCoding coding = IndexCoding.shortest(chosen, count);
        long indexBytes = coding.write(chosen, count, buffer);
        long valueBytes = (long) Float.BYTES * count;
        MemorySegment.copy(buffer, Bitmap.bytes(elements), buffer, indexBytes, valueBytes);
        MemorySegment payload = buffer.asSlice(0, indexBytes + valueBytes);
        return new Frame(codec, coding.flag(), elements, payload);
    }

    private void gather(
            MemorySegment vector, MagnitudeThreshold threshold, int limit, MemorySegment buffer) {
        long begin = Bitmap.bytes(chosen.size());
        count = 0;
        int ties = threshold.ties();
        for (int from = 0; from < chosen.size(); from += Block.MAX_LENGTH) {
            block.readFinite(vector, from, Block.lengthAt(from, chosen.size()));
            float above = ties > 0 ? Math.nextDown(threshold.magnitude()) : threshold.magnitude();
            int word = from / Kernels.STRIDE;
            kernels.markAbove(block.values(), block.length(), above, chosen.words(), word);
            chosen.trim();
            if (ties > 0) {
                ties = keepTies(threshold.magnitude(), ties, word);
            }
            int found =
                    kernels.compress(block.values(), block.length(), chosen.words(), word, values);
            if (count + found <= limit) {
                MemorySegment.copy(
                        values,
                        0,
                        buffer,
                        Float32.LAYOUT,
                        begin + (long) Float.BYTES * count,
                        found);
            }
            count += found;
        }
    }

    /**
     * Clears the elements of exactly this magnitude after the first few; returns how many more may
     * follow.
     */
    private int keepTies(float magnitude, int ties, int firstWord) {
        int remaining = ties;
        long[] words = chosen.words();
        for (int from = 0; from < block.length(); from += Kernels.STRIDE) {
            int word = firstWord + from / Kernels.STRIDE;
            for (long rest = words[word]; rest != 0; rest &= rest - 1) {
                float value = block.values()[from + Long.numberOfTrailingZeros(rest)];
                if (Math.abs(value) == magnitude && remaining-- <= 0) {
                    words[word] &= ~Long.lowestOneBit(rest);
                }
            }
        }
        return Math.max(0, remaining);
    }

    void add(Frame frame, float factor, MemorySegment vector) {
        chosen.reset(frame.elements());
        MemorySegment payload = frame.payload();
        long begin = IndexCoding.of(frame.flags()).read(payload, chosen);
        long wanted = begin + (long) Float.BYTES * chosen.count();
        if (payload.byteSize() != wanted) {
            throw FrameCorrupt.of(
                    "the bytes of the payload must be " + wanted, payload.byteSize(), begin);
        }
        scatter(payload, begin, factor, vector);
    }

    private void scatter(MemorySegment payload, long begin, float factor, MemorySegment vector) {
        long[] words = chosen.words();
        long offset = begin;
        for (int i = 0; i < chosen.wordCount(); i++) {
            long base = (long) i * Long.SIZE * Float.BYTES;
            for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                long valueAt = base + (long) Float.BYTES * Long.numberOfTrailingZeros(rest);
                float value = Float32.finite(payload, offset);
                float sum = vector.get(JAVA_FLOAT_UNALIGNED, valueAt) + factor * value;
                vector.set(JAVA_FLOAT_UNALIGNED, valueAt, sum);
                offset += Float.BYTES;
            }
        }
    }
}
