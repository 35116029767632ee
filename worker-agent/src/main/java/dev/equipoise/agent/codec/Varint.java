package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Whole numbers from 0 to 2^31 - 1 in one to five bytes: LEB128 of the DWARF standard, section 7.6.
 */
final class Varint {

    private static final int BITS = 7;
    private static final int MORE = 0x80;
    private static final int MOST_BYTES = 5;

    private Varint() {}

    static int bytes(int number) {
        return number < MORE
                ? 1
                : Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(number), BITS);
    }

    /** Returns the offset behind the number. */
    static long write(int number, MemorySegment target, long offset) {
        long next = offset;
        int rest = number;
        while (rest >= MORE) {
            target.set(JAVA_BYTE, next++, (byte) (rest | MORE));
            rest >>>= BITS;
        }
        target.set(JAVA_BYTE, next, (byte) rest);
        return next + 1;
    }

    /** Refuses numbers that are cut off, too great, or written with more bytes than they need. */
    static int read(MemorySegment source, long offset) {
        long number = 0;
        for (int i = 0; i < MOST_BYTES; i++) {
            if (offset + i >= source.byteSize()) {
                throw FrameCorrupt.of(
                        "a number must end below " + source.byteSize(), offset + i, offset);
            }
            byte bits = source.get(JAVA_BYTE, offset + i);
            number |= (long) (bits & (MORE - 1)) << (i * BITS);
            if (bits >= 0) {
                return requireShortest(number, i + 1, offset);
            }
        }
        throw FrameCorrupt.of("a number must have at most 5 bytes", "longer", offset);
    }

    private static int requireShortest(long number, int bytes, long offset) {
        if (number > Integer.MAX_VALUE) {
            throw FrameCorrupt.of("a number must be below 2^31", number, offset);
        }
        if (bytes != bytes((int) number)) {
            throw FrameCorrupt.of("a number must have as few bytes as it can", bytes, offset);
        }
        return (int) number;
    }
}
