package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/** A set of indices below a size, one bit each, in memory that grows and is reused. */
public final class Bitmap {

    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private long[] words = {};
    private int size;

    Bitmap() {}

    /** Adds an index, from 0 to size - 1, if it is not in the set yet. */
    public void set(int index) {
        Objects.checkIndex(index, size);
        words[index / Long.SIZE] |= 1L << index;
    }

    /** The size: all indices of the set are below it. */
    public int size() {
        return size;
    }

    /** Changes the size and empties the set. */
    void reset(int newSize) {
        resize(newSize);
        Arrays.fill(words, 0, wordCount(), 0);
    }

    /** Changes the size but not the bits, for a caller that overwrites all {@link #words}. */
    void resize(int newSize) {
        size = newSize;
        if (words.length < wordCount()) {
            words = new long[wordCount()];
        }
    }

    boolean contains(int index) {
        return (words[index / Long.SIZE] >>> index & 1) != 0;
    }

    /**
     * Returns the first index in the set that is at least {@code from}; the size if there is none.
     */
    int next(int from) {
        for (int i = from / Long.SIZE; i < wordCount(); i++) {
            int skipped = i == from / Long.SIZE ? from % Long.SIZE : 0;
            long rest = words[i] >>> skipped << skipped;
            if (rest != 0) {
                return i * Long.SIZE + Long.numberOfTrailingZeros(rest);
            }
        }
        return size;
    }

    /** Adds all indices of a set of the same size. */
    void addAll(Bitmap other) {
        for (int i = 0; i < wordCount(); i++) {
            words[i] |= other.words[i];
        }
    }

    /**
     * The words of the set: index i is bit i mod 64 of word i / 64. Bits at and behind the size
     * must be 0.
     */
    long[] words() {
        return words;
    }

    int wordCount() {
        return Math.ceilDiv(size, Long.SIZE);
    }

    /** Clears the bits at and behind the size, after a caller has written whole words. */
    void trim() {
        if (size % Long.SIZE != 0) {
            words[size / Long.SIZE] &= (1L << size) - 1;
        }
    }

    int count() {
        int count = 0;
        for (int i = 0; i < wordCount(); i++) {
            count += Long.bitCount(words[i]);
        }
        return count;
    }

    static long bytes(int bits) {
        return Math.ceilDiv(bits, Byte.SIZE);
    }

    /** Writes the first bits, padded to whole bytes. */
    static void write(long[] words, int bits, MemorySegment target, long offset) {
        int whole = bits / Long.SIZE;
        MemorySegment.copy(words, 0, target, WORD, offset, whole);
        for (long i = (long) whole * Long.BYTES; i < bytes(bits); i++) {
            byte bitsOfByte = (byte) (words[whole] >>> (i * Byte.SIZE));
            target.set(JAVA_BYTE, offset + i, bitsOfByte);
        }
    }

    /** Reads the first bits, padded to whole bytes; the rest of the last word becomes 0. */
    static void read(MemorySegment source, long offset, int bits, long[] words) {
        int whole = bits / Long.SIZE;
        MemorySegment.copy(source, WORD, offset, words, 0, whole);
        if (bits % Long.SIZE != 0) {
            words[whole] = 0;
        }
        for (long i = (long) whole * Long.BYTES; i < bytes(bits); i++) {
            words[whole] |= (source.get(JAVA_BYTE, offset + i) & 0xffL) << (i * Byte.SIZE);
        }
    }
}
