package dev.equipoise.agent.codec;

/*
 * Karimireddy, Rebjock, Stich and Jaggi, Error feedback fixes SignSGD and other gradient
 * compression schemes, ICML 2019, algorithm 1: C(p) = (||p||_1 / d) sign(p), layer by layer, where
 * the sign of 0 is plus.
 */

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sign compression: sends for each layer the mean magnitude as float32, then one bit for each
 * element, set if negative (docs/algorithms.md, section 6).
 */
final class Sign implements DenseCodec {

    static final int ID = 5;

    private final List<Integer> layers;
    private final Kernels kernels;
    private final Block block;
    private final Block scratch;
    private final long[] words = new long[Block.MAX_LENGTH / Kernels.STRIDE];

    /**
     * Allocates scratch blocks.
     *
     * @param layers the lengths of the layers; empty if the whole vector is one layer
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
    public Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer) {
        int elements = elements(vector);
        MemorySegment payload = FrameChecks.buffer(buffer, largestPayload(elements));
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
        for (int from = begin; from < end; from += Block.MAX_LENGTH) {
            block.readFinite(vector, from, Block.lengthAt(from, end));
            sum += block.sumOfMagnitudes();
            kernels.markNegative(block.values(), block.length(), words, 0);
            Bitmap.write(words, block.length(), payload, next);
            next += Bitmap.bytes(block.length());
        }
        payload.set(Float32.LAYOUT, offset, (float) (sum / Math.max(1, end - begin)));
    }

    @Override
    public Block scratch() {
        return scratch;
    }

    @Override
    public void decode(Frame frame, MemorySegment vector, DecodeSink sink) {
        FrameChecks.require(frame, ID, vector);
        FrameChecks.requireFlags(frame, 0);
        int elements = elements(vector);
        FrameChecks.requireBytes(frame, largestPayload(elements));
        int from = 0;
        long offset = 0;
        for (int i = 0; i < layerCount(); i++) {
            int length = layer(i, elements);
            decode(frame.payload(), offset, from, from + length, sink);
            from += length;
            offset += Float.BYTES + Bitmap.bytes(length);
        }
    }

    private void decode(MemorySegment payload, long offset, int begin, int end, DecodeSink sink) {
        float scale = Float32.finiteNotNegative("a scale", payload, offset);
        long next = offset + Float.BYTES;
        for (int from = begin; from < end; from += Block.MAX_LENGTH) {
            block.resize(Block.lengthAt(from, end));
            Bitmap.read(payload, next, block.length(), words);
            kernels.spreadSigns(words, scale, block.values(), block.length());
            next += Bitmap.bytes(block.length());
            sink.put(block, from);
        }
    }

    private int elements(MemorySegment vector) {
        int elements = Block.elements(vector);
        long expected = layers.stream().mapToLong(Integer::longValue).sum();
        if (!layers.isEmpty() && elements != expected) {
            throw new IllegalArgumentException(
                    "the vector must have the %d elements of the layers, but has %d"
                            .formatted(expected, elements));
        }
        return elements;
    }
}
