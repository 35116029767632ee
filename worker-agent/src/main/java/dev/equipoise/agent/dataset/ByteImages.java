package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Normalisation;
import dev.equipoise.protocol.dataset.Normalisation.Standardise;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Images of one byte a value; a table a channel says what a byte becomes. */
final class ByteImages implements Dataset {
    private static final int BYTES = 256;

    private final Image shape;
    private final int classes;
    private final byte[] images;
    private final byte[] labels;
    private final float[][] tables;

    private ByteImages(Image shape, int classes, byte[] images, byte[] labels, float[][] tables) {
        this.shape = shape;
        this.classes = classes;
        this.images = images;
        this.labels = labels;
        this.tables = tables;
    }

    /**
     * @param images one after the other, the channels of a pixel side by side
     * @param brightest what {@code unit} makes 1
     */
    static ByteImages of(
            Image shape,
            int classes,
            byte[] images,
            byte[] labels,
            int brightest,
            Normalisation normalisation) {
        float[][] tables = new float[shape.channels()][BYTES];
        for (int channel = 0; channel < tables.length; channel++) {
            for (int value = 0; value < BYTES; value++) {
                tables[channel][value] = normalised(value, brightest, channel, normalisation);
            }
        }
        return new ByteImages(shape, classes, images, labels, tables);
    }

    private static float normalised(
            int value, int brightest, int channel, Normalisation normalisation) {
        return switch (normalisation) {
            case Normalisation.Unit() -> value / (float) brightest;
            case Standardise standard ->
                    (float)
                            (((double) value / brightest - standard.mean(channel))
                                    / standard.deviation(channel));
        };
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public Image shape() {
        return shape;
    }

    @Override
    public int positions() {
        return 1;
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        int length = shape.size();
        for (int i = 0; i < count; i++) {
            int sample = Objects.checkIndex(order[from + i], labels.length);
            into.label(i, 0, labels[sample] & 0xff);
            if (tables.length == 1) {
                fillGrey(sample * length, length, into.values(), (long) i * length);
            } else {
                fill(sample * length, length, into.values(), (long) i * length);
            }
        }
    }

    private void fillGrey(int start, int length, MemorySegment to, long at) {
        float[] table = tables[0];
        for (int i = 0; i < length; i++) {
            to.setAtIndex(JAVA_FLOAT, at + i, table[images[start + i] & 0xff]);
        }
    }

    private void fill(int start, int length, MemorySegment to, long at) {
        int channels = tables.length;
        for (int channel = 0; channel < channels; channel++) {
            float[] table = tables[channel];
            for (int i = channel; i < length; i += channels) {
                to.setAtIndex(JAVA_FLOAT, at + i, table[images[start + i] & 0xff]);
            }
        }
    }
}
