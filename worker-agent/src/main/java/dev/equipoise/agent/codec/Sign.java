package dev.equipoise.agent.codec;

/*
 * Karimireddy, Rebjock, Stich and Jaggi, Error feedback fixes SignSGD and other gradient compression
 * schemes, ICML 2019, algorithm 1: C(p) = (||p||_1 / d) sign(p), layer by layer, where the sign of 0
 * is plus.
 */

import java.lang.foreign.MemorySegment;
import java.util.List;

/** For each layer, the mean magnitude as float32, then a bit for each element, set if negative. */
final class Sign implements Codec {

    static final int ID = 5;

    private final List<Integer> layers;
    private final Kernels kernels;
    private final Block block;
    private final Block scratch;
    private final long[] words = new long[Block.LARGEST / Kernels.STRIDE];

    /**
     * Makes room for blocks.
     *
     * @param layers none if the whole vector is one
     */
    Sign(List<Integer> layers) {
        this(layers, Kernels.fastest());
    }

    Sign(List<Integer> layers, Kernels kernels) {
        for (int length : layers) {
            if (length < 1) {
                throw new IllegalArgumentException(
                        "a layer must have at least 1 element, but had " + length);
            }
        }
        this.layers = List.copyOf(layers);
        this.kernels = kernels;
        this.block = new Block(kernels);
        this.scratch = new Block(kernels);
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public long largestPayload(int elements) {
        long bytes = 0;
        for (int i = 0; i < layerCount(); i++) {
            bytes += Float.BYTES + Bitmap.bytes(layer(i, elements));
        }
        return bytes;
    }

    private int layerCount() {
        return Math.max(1, layers.size());
    }

    private int layer(int index, int elements) {
        return layers.isEmpty() ? elements : layers.get(index);
    }

    @Override
    public Frame encode(MemorySegment vector, Chance chance, MemorySegment room) {
        int elements = elements(vector);
        MemorySegment payload = Agreement.room(room, largestPayload(elements));
        int from = 0;
        long offset = 0;
        for (int i = 0; i < layerCount(); i++) {
            int length = layer(i, elements);
            encode(vector, from, from + length, payload, offset);
            from += length;
            offset += Float.BYTES + Bitmap.bytes(length);
        }
        return new Frame(ID, 0, elements, payload);
    }

    private void encode(
            MemorySegment vector, int begin, int end, MemorySegment payload, long offset) {
        double sum = 0;
        long next = offset + Float.BYTES;
        for (int from = begin; from < end; from += Block.LARGEST) {
            block.readFinite(vector, from, Block.lengthAt(from, end));
            sum += block.sumOfMagnitudes();
            kernels.markNegative(block.values(), block.length(), words, 0);
            Bitmap.write(words, block.length(), payload, next);
            next += Bitmap.bytes(block.length());
        }
        payload.set(Float32.LAYOUT, offset, (float) (sum / Math.max(1, end - begin)));
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
        Agreement.requireFlags(frame, 0);
        int elements = elements(vector);
        Agreement.requireBytes(frame, largestPayload(elements));
        int from = 0;
        long offset = 0;
        for (int i = 0; i < layerCount(); i++) {
            int length = layer(i, elements);
            decode(frame.payload(), offset, from, from + length, landing);
            from += length;
            offset += Float.BYTES + Bitmap.bytes(length);
        }
    }

    private void decode(MemorySegment payload, long offset, int begin, int end, Landing landing) {
        float scale = payload.get(Float32.LAYOUT, offset);
        if (!(scale >= 0 && scale <= Float.MAX_VALUE)) {
            throw FrameCorrupt.of("a scale must be finite and not negative", scale, offset);
        }
        long next = offset + Float.BYTES;
        for (int from = begin; from < end; from += Block.LARGEST) {
            block.resize(Block.lengthAt(from, end));
            Bitmap.read(payload, next, block.length(), words);
            kernels.spreadSigns(words, scale, block.values(), block.length());
            next += Bitmap.bytes(block.length());
            landing.put(block, from);
        }
    }

    private int elements(MemorySegment vector) {
        int elements = Block.elements(vector);
        long wanted = layers.stream().mapToLong(Integer::longValue).sum();
        if (!layers.isEmpty() && elements != wanted) {
            throw new IllegalArgumentException(
                    "the vector must have the %d elements of the layers, but has %d"
                            .formatted(wanted, elements));
        }
        return elements;
    }
}
