package dev.equipoise.agent.codec;

/*
 * Alistarh, Grubic, Li, Tomioka and Vojnovic, QSGD: communication-efficient SGD via gradient
 * quantization and encoding, NIPS 2017, section 3.1, with s = 2^(bits - 1) - 1 levels and
 * fixed-width codes. For each bucket v of at most q elements, xi_i is one of the two integers next
 * to |v_i| s / ||v||, drawn so that its mean is that number, and
 *
 *   Q(v_i) = ||v|| sign(v_i) xi_i / s,   E ||Q(v) - v||^2 <= min(q / s^2, sqrt(q) / s) ||v||^2
 *
 * A code is s + sign(v_i) xi_i, from 0 to 2 s.
 */

import java.lang.foreign.MemorySegment;

/**
 * QSGD: rounds elements at random to levels of the norm of their bucket (docs/algorithms.md,
 * section 6). The payload has for each bucket its norm as float32, then a code for each element: 4
 * + ceil(q bits / 8) bytes for q elements.
 */
final class Qsgd implements DenseCodec {

    static final int ID = 4;

    private static final int MIN_BITS = 2;
    private static final int MAX_BITS = 8;

    /**
     * Norms below this count as 0, since levels / norm would overflow; only underflow makes a
     * gradient that small.
     */
    private static final float MIN_NORM = 0x1p-110f;

    private final int bits;
    private final int bucket;
    private final int levels;
    private final Kernels kernels;
    private final Block block;
    private final Block scratch;
    private final int[] codes;
    private final BitPacking packing;

    Qsgd(int bits, int bucket) {
        this(bits, bucket, Kernels.fastest());
    }

    Qsgd(int bits, int bucket, Kernels kernels) {
        requireBetween("bits", bits, MIN_BITS, MAX_BITS);
        requireBetween("bucket", bucket, 1, Block.MAX_LENGTH);
        this.bits = bits;
        this.bucket = bucket;
        this.levels = (1 << (bits - 1)) - 1;
        this.kernels = kernels;
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
        this.codes = new int[Block.MAX_LENGTH];
        this.packing = new BitPacking(bits, bucket);
    }

    int bucket() {
        return bucket;
    }

    int levels() {
        return levels;
    }

    private static void requireBetween(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be from %d to %d, but was %d".formatted(name, least, most, value));
        }
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean isUnbiased() {
        return true;
    }

    @Override
    public long largestPayload(int elements) {
        return elements / bucket * bytes(bucket)
                + (elements % bucket == 0 ? 0 : bytes(elements % bucket));
    }

    private long bytes(int count) {
        return Float.BYTES + packing.bytes(count);
    }

    @Override
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        int elements = Block.elements(vector);
        MemorySegment payload = FrameChecks.buffer(buffer, largestPayload(elements));
        long key = random.own();
        long offset = 0;
        for (int from = 0; from < elements; from += bucket) {
            block.readFinite(vector, from, Math.min(bucket, elements - from));
            encode(from, key, payload, offset);
            offset += bytes(block.length());
        }
        return new Frame(ID, bits, elements, payload);
    }

    private void encode(int from, long key, MemorySegment payload, long offset) {
        float norm = norm(from);
        float scale = norm == 0 ? 0 : levels / norm;
        payload.set(Float32.LAYOUT, offset, norm);
        kernels.quantize(block.values(), block.length(), scale, levels, key, from, codes);
        // Padding bits are 0.
        for (int i = block.length(); i % Byte.SIZE != 0; i++) {
            codes[i] = 0;
        }
        packing.write(codes, block.length(), payload, offset + Float.BYTES);
    }

    private float norm(int from) {
        float norm = (float) block.norm();
        if (Float.isInfinite(norm)) {
            throw new IllegalArgumentException(
                    "the norm of the bucket at element %d must be a finite float32, but was %s"
                            .formatted(from, block.norm()));
        }
        return norm < MIN_NORM ? 0 : norm;
    }

    @Override
    public Block scratch() {
        return scratch;
    }

    @Override
    public void decode(Frame frame, MemorySegment vector, DecodeSink sink) {
        FrameChecks.require(frame, ID, vector);
        FrameChecks.requireFlags(frame, bits);
        FrameChecks.requireBytes(frame, largestPayload(frame.elements()));
        long offset = 0;
        for (int from = 0; from < frame.elements(); from += bucket) {
            block.resize(Math.min(bucket, frame.elements() - from));
            decode(frame.payload(), offset);
            offset += bytes(block.length());
            sink.put(block, from);
        }
    }

    private void decode(MemorySegment payload, long offset) {
        float norm = Float32.finiteNotNegative("a norm", payload, offset);
        packing.read(payload, offset + Float.BYTES, codes, block.length());
        int largest = dequantize(norm / levels, block.values(), block.length());
        if (largest > 2 * levels) {
            throw FrameCorrupt.of(
                    "codes must be at most " + 2 * levels, largest, offset + Float.BYTES);
        }
    }

    /** Decodes the codes and returns the largest one. */
    private int dequantize(float unit, float[] values, int length) {
        int largest = 0;
        for (int i = 0; i < length; i++) {
            largest = Math.max(largest, codes[i]);
            values[i] = (codes[i] - levels) * unit;
        }
        return largest;
    }
}
