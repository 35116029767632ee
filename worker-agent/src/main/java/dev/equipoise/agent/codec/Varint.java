package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Reads and writes integers from 0 to 2^31 - 1 in one to five bytes: unsigned LEB128 of the DWARF
 * standard, section 7.6.
 */
final class Varint {

    private static final int BITS = 7;
    private static final int CONTINUATION = 0x80;
    private static final int MAX_BYTES = 5;

    private Varint() {}

    static int bytes(int number) {
        return number < CONTINUATION
                ? 1
                : Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(number), BITS);
    }

    /** Writes a number and returns the offset behind it. */
    static long write(int number, MemorySegment target, long offset) {
        long next = offset;
        int rest = number;
        while (rest >= CONTINUATION) {
            target.set(JAVA_BYTE, next++, (byte) (rest | CONTINUATION));
            rest >>>= BITS;
        }
        target.set(JAVA_BYTE, next, (byte) rest);
        return next + 1;
    }

    /** Reads a number; rejects numbers that are truncated, too large, or longer than necessary. */
    static int read(MemorySegment source, long offset) {
        long number = 0;
        for (int i = 0; i < MAX_BYTES; i++) {
            if (offset + i >= source.byteSize()) {
                throw FrameCorrupt.of(
                        "a number must end before byte " + source.byteSize(), offset + i, offset);
            }
            byte bits = source.get(JAVA_BYTE, offset + i);
            number |= (long) (bits & (CONTINUATION - 1)) << (i * BITS);
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
            throw FrameCorrupt.of("a number must use the fewest possible bytes", bytes, offset);
        }
        return (int) number;
    }
}
