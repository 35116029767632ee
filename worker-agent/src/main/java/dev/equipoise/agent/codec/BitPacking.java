package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Packs numbers of a fixed width side by side, the lowest bits first: eight numbers take as many
 * bytes as one has bits.
 */
final class BitPacking {

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int GROUP = 8;

    private final int bits;
    private final long mask;
    private final byte[] bytes;

    /**
     * Allocates memory for a number of numbers.
     *
     * @param bits bits of a number, from 1 to 8
     */
    BitPacking(int bits, int maxNumbers) {
        this.bits = bits;
        this.mask = (1L << bits) - 1;
        // Whole words are read and written, even at the last bytes of a group.
        this.bytes = new byte[Math.ceilDiv(maxNumbers, GROUP) * bits + Long.BYTES];
    }

    long bytes(int numbers) {
        return Math.ceilDiv((long) numbers * bits, Byte.SIZE);
    }

    /**
     * Packs the first numbers, from 0 to 2^bits - 1; the numbers behind them, up to a multiple of
     * 8, must be 0.
     */
    void write(int[] numbers, int count, MemorySegment target, long offset) {
        for (int i = 0; i < count; i += GROUP) {
            long word = 0;
            for (int j = 0; j < GROUP; j++) {
                word |= (long) numbers[i + j] << (j * bits);
            }
            WORD.set(bytes, i / GROUP * bits, word);
        }
        MemorySegment.copy(bytes, 0, target, JAVA_BYTE, offset, (int) bytes(count));
    }

    /** Unpacks a number of numbers, and some more up to a multiple of 8. */
    void read(MemorySegment source, long offset, int[] numbers, int count) {
        MemorySegment.copy(source, JAVA_BYTE, offset, bytes, 0, (int) bytes(count));
        for (int i = 0; i < count; i += GROUP) {
            long word = (long) WORD.get(bytes, i / GROUP * bits);
            for (int j = 0; j < GROUP; j++) {
                numbers[i + j] = (int) (word >>> (j * bits) & mask);
            }
        }
    }
}
