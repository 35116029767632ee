package dev.equipoise.agent.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A coding of a set of k indices below d (docs/algorithms.md, section 6); each is the shortest at
 * another density.
 */
enum IndexCoding {

    /**
     * One u32 for each index, ascending: 4 k bytes. Their number follows from the length of the
     * payload.
     */
    LIST(0) {
        @Override
        long bytes(Bitmap indices, int count) {
            return (long) Integer.BYTES * count;
        }

        @Override
        long write(Bitmap indices, int count, MemorySegment target) {
            long[] words = indices.words();
            long offset = 0;
            for (int i = 0; i < indices.wordCount(); i++) {
                for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                    target.set(U32, offset, i * Long.SIZE + Long.numberOfTrailingZeros(rest));
                    offset += Integer.BYTES;
                }
            }
            return offset;
        }

        @Override
        long read(MemorySegment payload, Bitmap indices) {
            long pairs = payload.byteSize() / (Integer.BYTES + Float.BYTES);
            int previous = -1;
            for (long offset = 0; offset < pairs * Integer.BYTES; offset += Integer.BYTES) {
                int index = payload.get(U32, offset);
                requireAscending(previous, Integer.toUnsignedLong(index), indices.size(), offset);
                indices.set(index);
                previous = index;
            }
            return pairs * Integer.BYTES;
        }
    },

    /** One bit for each possible index: ceil(d / 8) bytes. */
    BITMAP(1) {
        @Override
        long bytes(Bitmap indices, int count) {
            return Bitmap.bytes(indices.size());
        }

        @Override
        long write(Bitmap indices, int count, MemorySegment target) {
            Bitmap.write(indices.words(), indices.size(), target, 0);
            return Bitmap.bytes(indices.size());
        }

        @Override
        long read(MemorySegment payload, Bitmap indices) {
            long bytes = Bitmap.bytes(indices.size());
            if (payload.byteSize() < bytes) {
                throw FrameCorrupt.of(
                        "the bitmap must have " + bytes + " bytes", payload.byteSize(), 0);
            }
            Bitmap.read(payload, 0, indices.size(), indices.words());
            requireZeroPadding(indices, bytes);
            return bytes;
        }
    },

    /**
     * The number of indices as u32, then for each index the gap before it as an unsigned LEB128
     * varint: bytes of seven bits, the lowest first, all but the last with the highest bit set. It
     * takes 4 bytes and about k to 2 k.
     */
    DELTA_VARINT(2) {
        @Override
        long bytes(Bitmap indices, int count) {
            long[] words = indices.words();
            long bytes = Integer.BYTES;
            int next = 0;
            for (int i = 0; i < indices.wordCount(); i++) {
                for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                    int index = i * Long.SIZE + Long.numberOfTrailingZeros(rest);
                    bytes += Varint.bytes(index - next);
                    next = index + 1;
                }
            }
            return bytes;
        }

        @Override
        long write(Bitmap indices, int count, MemorySegment target) {
            target.set(U32, 0, count);
            long[] words = indices.words();
            long offset = Integer.BYTES;
            int next = 0;
            for (int i = 0; i < indices.wordCount(); i++) {
                for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                    int index = i * Long.SIZE + Long.numberOfTrailingZeros(rest);
                    offset = Varint.write(index - next, target, offset);
                    next = index + 1;
                }
            }
            return offset;
        }

        @Override
        long read(MemorySegment payload, Bitmap indices) {
            long count = count(payload, indices.size());
            long offset = Integer.BYTES;
            int previous = -1;
            for (long i = 0; i < count; i++) {
                long index = previous + 1L + Varint.read(payload, offset);
                requireAscending(previous, index, indices.size(), offset);
                indices.set((int) index);
                offset += Varint.bytes((int) index - previous - 1);
                previous = (int) index;
            }
            return offset;
        }

        private static long count(MemorySegment payload, int size) {
            if (payload.byteSize() < Integer.BYTES) {
                throw FrameCorrupt.of(
                        "the number of indices must have 4 bytes", payload.byteSize(), 0);
            }
            long count = Integer.toUnsignedLong(payload.get(U32, 0));
            if (count > size) {
                throw FrameCorrupt.of("the number of indices must be at most " + size, count, 0);
            }
            return count;
        }
    };

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private final int flag;

    IndexCoding(int flag) {
        this.flag = flag;
    }

    /** The value of a frame's flags. */
    int flag() {
        return flag;
    }

    /** Number of bytes that {@link #write} writes. */
    abstract long bytes(Bitmap indices, int count);

    /** Writes the indices and returns the number of bytes. */
    abstract long write(Bitmap indices, int count, MemorySegment target);

    /**
     * Adds the indices at the beginning of a payload to an empty set.
     *
     * @return the number of bytes read
     */
    abstract long read(MemorySegment payload, Bitmap indices);

    /** Returns the coding with the fewest bytes; among equal ones, the first. */
    static IndexCoding shortest(Bitmap indices, int count) {
        long list = LIST.bytes(indices, count);
        long bitmap = BITMAP.bytes(indices, count);
        IndexCoding plain = bitmap < list ? BITMAP : LIST;
        long bytes = Math.min(bitmap, list);
        // Measuring varints takes a pass over all gaps, and they need at least one byte each.
        boolean varintsMayBeShorter = Integer.BYTES + count < bytes;
        return varintsMayBeShorter && DELTA_VARINT.bytes(indices, count) < bytes
                ? DELTA_VARINT
                : plain;
    }

    static IndexCoding of(int flags) {
        return switch (flags) {
            case 0 -> LIST;
            case 1 -> BITMAP;
            case 2 -> DELTA_VARINT;
            default -> throw FrameCorrupt.of("the index coding must be below 3", flags, 0);
        };
    }

    private static void requireAscending(int previous, long index, int size, long offset) {
        if (index <= previous || index >= size) {
            throw FrameCorrupt.of(
                    "an index must be above %d and below %d".formatted(previous, size),
                    index,
                    offset);
        }
    }

    private static void requireZeroPadding(Bitmap indices, long bytes) {
        int bits = indices.size() % Byte.SIZE;
        if (bits != 0) {
            long last = indices.words()[indices.wordCount() - 1] >>> (indices.size() % Long.SIZE);
            if (last != 0) {
                throw FrameCorrupt.of("the bits behind the last index must be 0", last, bytes - 1);
            }
        }
    }
}
