package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Turns a vector into the payload of a frame and back. Vectors are native float32; what a codec
 * leaves out is zero in the decoded vector.
 *
 * <p>A codec remembers nothing from one call to the next: equal vectors and equal chances give
 * equal bits, on all machines. It has memory for the time of a call, so that only one thread uses
 * it at a time. That memory grows with the longest vector seen, after which nothing is allocated
 * but the frame.
 *
 * <p>Frames come from other machines. Whatever a payload says is checked before it is used.
 */
public sealed interface Codec permits Threshold, TopK, RandomK, Qsgd, Sign, SampledRows {

    /** What frames say in their header, from 1 to 255; the same in all versions. */
    int id();

    /** Whether the payloads of one round may be summed, as float32, before they are decoded. */
    default boolean isLinear() {
        return false;
    }

    /** Whether the mean of the decoded vector over all seeds is the vector. */
    default boolean isUnbiased() {
        return false;
    }

    /** The bytes that a payload may need for a vector of so many elements. */
    long largestPayload(int elements);

    /**
     * Codes a vector, which is only read.
     *
     * @param room for the payload, at least {@link #largestPayload} bytes
     * @return a frame whose payload is the beginning of the room
     * @throws NotFinite if an element is NaN or infinite, of which the message names the first
     * @throws IllegalArgumentException if the vector or the room has not the size that the codec
     *     wants
     */
    Frame encode(MemorySegment vector, Chance chance, MemorySegment room);

    /**
     * What of a frame's payload may be summed, as float32, over ranks that choose the same
     * elements.
     */
    default MemorySegment summands(Frame frame) {
        return frame.payload();
    }

    /**
     * Overwrites a vector with what a frame says.
     *
     * @param chance that of the sender
     * @throws FrameCorrupt if the frame cannot have come from such a codec
     */
    default void decode(Frame frame, Chance chance, MemorySegment vector) {
        vector.fill((byte) 0);
        add(frame, chance, 1, vector);
    }

    /**
     * Adds what a frame says, times a factor, to a vector: frames of several ranks sum up without
     * memory for each.
     *
     * @param chance that of the sender
     * @throws FrameCorrupt if the frame cannot have come from such a codec
     */
    void add(Frame frame, Chance chance, float factor, MemorySegment vector);

    /**
     * Sends the elements above a threshold in magnitude (Tolstobrov; Strom 2015).
     *
     * @param threshold finite, at least 0
     */
    static Codec threshold(float threshold) {
        return new Threshold(new Level.Fixed(threshold));
    }

    /**
     * Sends about this fraction of the elements, those of the largest magnitude, and never more
     * than twice as many; zeros never. The threshold is taken from a sample of the vector.
     *
     * @param fraction above 0, at most 1
     */
    static Codec adaptiveThreshold(double fraction) {
        return new Threshold(new Level.Sampled(new Fraction(fraction)));
    }

    /**
     * Sends exactly the ceil(fraction d) elements of the largest magnitude, of equal ones the
     * first.
     *
     * @param fraction above 0, at most 1
     */
    static Codec topK(double fraction) {
        return new TopK(fraction);
    }

    /**
     * Sends ceil(fraction d) elements that all ranks choose alike, without their indices.
     *
     * @param fraction above 0, at most 1
     * @param unbiased scales what is sent by what was left out; without, error feedback is wanted
     */
    static Codec randomK(double fraction, boolean unbiased) {
        return new RandomK(fraction, unbiased);
    }

    /**
     * Rounds every element at random to one of 2^bits - 1 levels between plus and minus the norm of
     * its bucket (Alistarh and others 2017). Error feedback wants buckets of fewer elements than
     * the square of 2^(bits - 1) - 1.
     *
     * @param bits of an element, from 2 to 8
     * @param bucket elements that share a norm, from 1 to 1024
     */
    static Codec qsgd(int bits, int bucket) {
        return new Qsgd(bits, bucket);
    }

    /** Sends the signs and one mean magnitude (Karimireddy and others 2019). */
    static Codec sign() {
        return new Sign(List.of());
    }

    /**
     * Sends the signs and the mean magnitude of each layer.
     *
     * @param layers their lengths, in the order of the vector, which is as long as all of them
     */
    static Codec sign(List<Integer> layers) {
        return new Sign(layers);
    }

    /**
     * Sends some rows, or columns, of matrices as they are.
     *
     * @param matrices which make up a flat vector, one behind the other
     * @param from the first element of the vectors that are coded, in the flat vector
     * @param to the first one behind them
     */
    static Codec sampledRows(List<Sliced> matrices, int from, int to) {
        return new SampledRows(matrices, from, to);
    }

    /** Of the whole flat vector. */
    static Codec sampledRows(List<Sliced> matrices) {
        return new SampledRows(
                matrices,
                0,
                matrices.stream().mapToInt(Sliced::elements).reduce(0, Math::addExact));
    }
}
