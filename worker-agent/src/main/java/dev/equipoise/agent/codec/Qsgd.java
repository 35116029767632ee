package dev.equipoise.agent.codec;

/*
 * Alistarh, Grubic, Li, Tomioka and Vojnovic, QSGD: communication-efficient SGD via gradient
 * quantization and encoding, NIPS 2017, section 3.1, with s = 2^(bits - 1) - 1 levels and fixed-width
 * codes. Per bucket v of at most q elements, xi_i is one of the two integers next to
 * |v_i| s / ||v||, drawn so that its mean is that number, and
 *
 *   Q(v_i) = ||v|| sign(v_i) xi_i / s,   E ||Q(v) - v||^2 <= min(q / s^2, sqrt(q) / s) ||v||^2
 *
 * A code is s + sign(v_i) xi_i, from 0 to 2 s.
 */

import java.lang.foreign.MemorySegment;

/**
 * For each bucket, its norm as float32, then a code for each element: 4 + ceil(q bits / 8) bytes.
 */
final class Qsgd implements Codec {

    static final int ID = 4;

    private static final int FEWEST_BITS = 2;
    private static final int MOST_BITS = 8;

    /** Below, levels / norm would overflow; no gradient is that small but by underflow. */
    private static final float LEAST_NORM = 0x1p-110f;

    private final int bits;
    private final int bucket;
    private final int levels;
    private final Kernels kernels;
    private final Block block;
    private final Block scratch;
    private final int[] codes;
    private final Packing packing;

    Qsgd(int bits, int bucket) {
        this(bits, bucket, Kernels.fastest());
    }

    Qsgd(int bits, int bucket, Kernels kernels) {
        requireBetween("bits", bits, FEWEST_BITS, MOST_BITS);
        requireBetween("bucket", bucket, 1, Block.LARGEST);
        this.bits = bits;
        this.bucket = bucket;
        this.levels = (1 << (bits - 1)) - 1;
        this.kernels = kernels;
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
        this.codes = new int[Block.LARGEST];
        this.packing = new Packing(bits, bucket);
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
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        int elements = Block.elements(vector);
        MemorySegment payload = Agreement.room(room, largestPayload(elements));
        long key = chance.own();
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
        kernels.quantise(block.values(), block.length(), scale, levels, key, from, codes);
        // Bits that belong to no element are 0.
        for (int i = block.length(); i % Byte.SIZE != 0; i++) {
            codes[i] = 0;
        }
        packing.write(codes, block.length(), payload, offset + Float.BYTES);
    }

    private float norm(int from) {
        float norm = (float) block.norm();
        if (Float.isInfinite(norm)) {
            throw new IllegalArgumentException(
                    "the norm of the bucket at element %d must be a float32, but was %s"
                            .formatted(from, block.norm()));
        }
        return norm < LEAST_NORM ? 0 : norm;
    }

    @Override
    public void decode(Frame frame, Chance chance, MemorySegment vector) {
        decode(frame, vector, Landing.overwriting(vector));
    }

    @Override
    public void add(Frame frame, Chance chance, float factor, MemorySegment vector) {
        decode(frame, vector, Landing.adding(factor, vector, scratch));
    }

    private void decode(Frame frame, MemorySegment vector, Landing landing) {
        Agreement.require(frame, this, vector);
        Agreement.requireFlags(frame, bits);
        Agreement.requireBytes(frame, largestPayload(frame.elements()));
        long offset = 0;
        for (int from = 0; from < frame.elements(); from += bucket) {
            block.resize(Math.min(bucket, frame.elements() - from));
            decode(frame.payload(), offset);
            offset += bytes(block.length());
            landing.put(block, from);
        }
    }

    private void decode(MemorySegment payload, long offset) {
        float norm = payload.get(Float32.LAYOUT, offset);
        if (!(norm >= 0 && norm <= Float.MAX_VALUE)) {
            throw FrameCorrupt.of("a norm must be finite and not negative", norm, offset);
        }
        packing.read(payload, offset + Float.BYTES, codes, block.length());
        int greatest = spread(norm / levels, block.values(), block.length());
        if (greatest > 2 * levels) {
            throw FrameCorrupt.of(
                    "codes must be at most " + 2 * levels, greatest, offset + Float.BYTES);
        }
    }

    /** Returns the greatest code. */
    private int spread(float unit, float[] values, int length) {
        int greatest = 0;
        for (int i = 0; i < length; i++) {
            greatest = Math.max(greatest, codes[i]);
            values[i] = (codes[i] - levels) * unit;
        }
        return greatest;
    }
}
