package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Compresses a vector into the payload of a frame and decodes it. Vectors are native float32;
 * omitted elements are zero in the decoded vector.
 *
 * <p>A codec is stateless between calls: equal vectors and equal {@linkplain CodecRandom random
 * sources} give equal bits, on all hosts. It has scratch memory for the time of a call, so that
 * only one thread may use it at a time. The scratch memory grows with the longest vector seen;
 * after that a call allocates nothing but the frame.
 *
 * <p>Frames come from other hosts, so every field of a payload is checked before it is used.
 */
public sealed interface Codec permits Threshold, TopK, RandomK, DenseCodec, SampledRows {

    /** The codec id in the header of a frame, from 1 to 255; the same in all versions. */
    int id();

    /**
     * Returns whether the codec is linear: whether the payloads of one round may be summed, as
     * float32, before they are decoded.
     */
    default boolean isLinear() {
        return false;
    }

    /**
     * Returns whether the codec is unbiased: whether the mean of the decoded vector over all seeds
     * is the vector.
     */
    default boolean isUnbiased() {
        return false;
    }

    /**
     * Returns the largest possible payload, in bytes, for a vector of the given number of elements.
     */
    long largestPayload(int elements);

    /**
     * Encodes a vector, which is only read.
     *
     * @param buffer for the payload, at least {@link #largestPayload} bytes
     * @return a frame whose payload is the beginning of the buffer
     * @throws NotFinite if an element is NaN or infinite; the message names the first one
     * @throws IllegalArgumentException if the vector or the buffer has a wrong size
     */
    Frame encode(MemorySegment vector, CodecRandom random, MemorySegment buffer);

    /**
     * Encodes a vector that holds a gradient times a factor, such as a replica's part of a mean, or
     * an update. A fixed threshold is compared with the gradient: the vector over the factor. All
     * other codecs ignore the factor.
     *
     * @param gradientScale factor, at least 0; at 0 the vector holds no gradient, and a fixed
     *     threshold selects no element
     */
    default Frame encode(
            MemorySegment vector, double gradientScale, CodecRandom random, MemorySegment buffer) {
        return encode(vector, random, buffer);
    }

    /**
     * Returns the part of a payload that may be summed, as float32, over ranks that choose the same
     * elements.
     */
    default MemorySegment summands(Frame frame) {
        return frame.payload();
    }

    /**
     * Decodes a frame into a vector, which is overwritten.
     *
     * @param random the source with which the sender encoded the frame
     * @throws FrameCorrupt if this codec cannot have produced the frame
     */
    default void decode(Frame frame, CodecRandom random, MemorySegment vector) {
        vector.fill((byte) 0);
        add(frame, random, 1, vector);
    }

    /**
     * Decodes a frame and adds it, times a factor, to a vector. Frames of several ranks are thus
     * summed without memory for each.
     *
     * @param random the source with which the sender encoded the frame
     * @throws FrameCorrupt if this codec cannot have produced the frame
     */
    void add(Frame frame, CodecRandom random, float factor, MemorySegment vector);

    /**
     * Threshold sparsification: sends the elements above a threshold in magnitude (Tolstobrov;
     * Strom 2015).
     *
     * @param threshold finite, at least 0
     */
    static Codec threshold(float threshold) {
        return new Threshold(new ThresholdRule.Fixed(threshold));
    }

    /**
     * Adaptive threshold sparsification: sends about this fraction of the elements, those of the
     * largest magnitude, never more than twice as many, and never zeros. The threshold is estimated
     * from a sample of the vector.
     *
     * @param fraction above 0, at most 1
     */
    static Codec adaptiveThreshold(double fraction) {
        return new Threshold(new ThresholdRule.Sampled(new Fraction(fraction)));
    }

    /**
     * Top-k sparsification: sends exactly the ceil(fraction d) elements of the largest magnitude;
     * among equal ones, the first (Lin and others 2018).
     *
     * @param fraction above 0, at most 1
     */
    static Codec topK(double fraction) {
        return new TopK(fraction);
    }

    /**
     * Random-k sparsification: sends ceil(fraction d) elements that all ranks choose alike, without
     * their indices (Stich and others 2018).
     *
     * @param fraction above 0, at most 1
     * @param unbiased whether values are scaled up to keep the mean; if not, use error feedback
     */
    static Codec randomK(double fraction, boolean unbiased) {
        return new RandomK(fraction, unbiased);
    }

    /**
     * QSGD: rounds every element at random to one of 2^bits - 1 levels between minus and plus the
     * norm of its bucket (Alistarh and others 2017). Error feedback needs buckets of fewer elements
     * than the square of 2^(bits - 1) - 1.
     *
     * @param bits bits per element, from 2 to 8
     * @param bucket elements that share a norm, from 1 to 1024
     */
    static Codec qsgd(int bits, int bucket) {
        return new Qsgd(bits, bucket);
    }

    /** Sign compression: sends the signs and one mean magnitude (Karimireddy and others 2019). */
    static Codec sign() {
        return new Sign(List.of());
    }

    /**
     * Sign compression by layers: sends the signs and the mean magnitude of each layer.
     *
     * @param layers the lengths of the layers, in the order of the vector; they sum to its length
     */
    static Codec sign(List<Integer> layers) {
        return new Sign(layers);
    }

    /**
     * Sampled rows: sends some rows, or columns, of matrices uncompressed.
     *
     * @param matrices the matrices that make up a flat vector, in order
     * @param from index in the flat vector of the first element of the encoded vectors
     * @param to index of the first element behind them
     */
    static Codec sampledRows(List<RowSampledMatrix> matrices, int from, int to) {
        return new SampledRows(matrices, from, to);
    }

    /** Sampled rows of the whole flat vector. */
    static Codec sampledRows(List<RowSampledMatrix> matrices) {
        return new SampledRows(
                matrices,
                0,
                matrices.stream().mapToInt(RowSampledMatrix::elements).reduce(0, Math::addExact));
    }
}
