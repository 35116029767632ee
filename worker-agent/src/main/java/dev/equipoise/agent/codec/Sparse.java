package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Frames of some elements of a vector: their indices in the shortest coding, then their values. */
final class Sparse {

    private final Kernels kernels;
    private final Block block;
    private final Bitmap chosen = new Bitmap();
    private final float[] values = new float[Block.LARGEST + Kernels.LANES];
    private int count;

    Sparse(Kernels kernels) {
        this.kernels = kernels;
        this.block = new Block(kernels);
    }

    /**
     * For a frame of a vector of so many elements.
     *
     * @param most of them that are sent
     */
    static long largestPayload(int elements, int most) {
        return Bitmap.bytes(elements) + (long) Float.BYTES * Math.min(most, elements);
    }

    /**
     * Reads the vector once. The values go behind the room for the longest indices, the bitmap, and
     * move to their place when it is known how the indices are written.
     *
     * @param most elements that there is room for
     * @return null where the cut lets more pass
     * @throws NotFinite if an element is not finite
     */
    @Nullable Frame encode(int codec, MemorySegment vector, Cut cut, int most, MemorySegment room) {
        int elements = Block.elements(vector);
        chosen.resize(elements);
        gather(vector, cut, most, Agreement.room(room, largestPayload(elements, most)));
        if (count > most) {
            return null;
        }
        IndexCoding coding = IndexCoding.shortest(chosen, count);
        long indexBytes = coding.write(chosen, count, room);
        long valueBytes = (long) Float.BYTES * count;
        MemorySegment.copy(room, Bitmap.bytes(elements), room, indexBytes, valueBytes);
        MemorySegment payload = room.asSlice(0, indexBytes + valueBytes);
        return new Frame(codec, coding.flag(), elements, payload);
    }

    private void gather(MemorySegment vector, Cut cut, int most, MemorySegment room) {
        long begin = Bitmap.bytes(chosen.size());
        count = 0;
        int ties = cut.ties();
        for (int from = 0; from < chosen.size(); from += Block.LARGEST) {
            block.readFinite(vector, from, Block.lengthAt(from, chosen.size()));
            float above = ties > 0 ? Math.nextDown(cut.magnitude()) : cut.magnitude();
            int word = from / Kernels.STRIDE;
            kernels.markAbove(block.values(), block.length(), above, chosen.words(), word);
            chosen.trim();
            if (ties > 0) {
                ties = keepTies(cut.magnitude(), ties, word);
            }
            int found =
                    kernels.compress(block.values(), block.length(), chosen.words(), word, values);
            if (count + found <= most) {
                MemorySegment.copy(
                        values, 0, room, Float32.LAYOUT, begin + (long) Float.BYTES * count, found);
            }
            count += found;
        }
    }

    /** Removes the elements of this magnitude behind the first few; returns how many may follow. */
    private int keepTies(float magnitude, int ties, int firstWord) {
        int left = ties;
        long[] words = chosen.words();
        for (int from = 0; from < block.length(); from += Kernels.STRIDE) {
            int word = firstWord + from / Kernels.STRIDE;
            for (long rest = words[word]; rest != 0; rest &= rest - 1) {
                float value = block.values()[from + Long.numberOfTrailingZeros(rest)];
                if (Math.abs(value) == magnitude && left-- <= 0) {
                    words[word] &= ~Long.lowestOneBit(rest);
                }
            }
        }
        return Math.max(0, left);
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
                long place = base + (long) Float.BYTES * Long.numberOfTrailingZeros(rest);
                float value = Float32.finite(payload, offset);
                float sum = vector.get(JAVA_FLOAT_UNALIGNED, place) + factor * value;
                vector.set(JAVA_FLOAT_UNALIGNED, place, sum);
                offset += Float.BYTES;
            }
        }
    }
}
