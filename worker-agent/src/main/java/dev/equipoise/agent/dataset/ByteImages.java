package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Images with one byte a value; a lookup table for each channel normalizes the bytes. */
final class ByteImages implements LabeledSamples.Values {
    private static final int BYTES = 256;

    private final byte[] images;
    private final int length;
    private final float[][] tables;

    private ByteImages(byte[] images, int length, float[][] tables) {
        this.images = images;
        this.length = length;
        this.tables = tables;
    }

    /**
     * @param images one after the other, the channels of a pixel side by side
     * @param brightest byte that the normalization {@code unit} maps to 1
     */
    static Dataset of(
            Image shape,
            int classes,
            byte[] images,
            byte[] labels,
            int brightest,
            Normalization normalization) {
        float[][] tables = new float[shape.channels()][BYTES];
        for (int channel = 0; channel < tables.length; channel++) {
            for (int value = 0; value < BYTES; value++) {
                tables[channel][value] = normalized(value, brightest, channel, normalization);
            }
        }
        return new LabeledSamples(
                shape, classes, unsigned(labels), new ByteImages(images, shape.size(), tables));
    }

    private static int[] unsigned(byte[] labels) {
        int[] numbers = new int[labels.length];
        Arrays.setAll(numbers, i -> Byte.toUnsignedInt(labels[i]));
        return numbers;
    }

    private static float normalized(
            int value, int brightest, int channel, Normalization normalization) {
        return switch (normalization) {
            case Normalization.Unit() -> value / (float) brightest;
            case Standardize standardization ->
                    (float)
                            (((double) value / brightest - standardization.mean(channel))
                                    / standardization.deviation(channel));
        };
    }

    @Override
    public void write(int sample, int from, int count, MemorySegment into, long at) {
        if (tables.length == 1) {
            fillGray(sample * length + from, count, into, at);
        } else {
            fill(sample * length + from, count, into, at);
        }
    }

    /** Adds the table of each channel, which normalizes, before the bytes of the images. */
    @Override
    public void addTo(SampleDigest digest, int samples) {
        for (float[] table : tables) {
            digest.add(table, BYTES);
        }
        digest.add(images, samples * length);
    }

    @Override
    public float black(int channel) {
        return tables[channel][0];
    }

    private void fillGray(int start, int count, MemorySegment to, long at) {
        float[] table = tables[0];
        for (int i = 0; i < count; i++) {
            to.setAtIndex(JAVA_FLOAT, at + i, table[images[start + i] & 0xff]);
        }
    }

    private void fill(int start, int count, MemorySegment to, long at) {
        int channels = tables.length;
        for (int channel = 0; channel < channels; channel++) {
            float[] table = tables[channel];
            for (int i = channel; i < count; i += channels) {
                to.setAtIndex(JAVA_FLOAT, at + i, table[images[start + i] & 0xff]);
            }
        }
    }
}
