package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.Augmentation.Flip;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;

/*
 * He, Zhang, Ren and Sun 2016, Deep residual learning, section 4.2: a crop of the padded image or
 * of its horizontal flip. The padding is black, as in torchvision's RandomCrop before a
 * normalization. A draw is the number of the sample in the sequence of SplitMix64 (Steele, Lea and
 * Flood 2014) that seed and epoch begin, so that neither the rank nor the order of the samples
 * changes it, and a run that continues needs no state.
 */
/** Images of an epoch, each with the crop and the flip that seed, epoch and sample determine. */
final class AugmentedImages implements Dataset {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** Keeps the draws apart from those of {@link Permutation}, which has the same seed. */
    private static final long SALT = 0x6175676d656e7421L;

    /** Bits of a draw that choose a row, and as many that choose a column. */
    private static final int OFFSET_BITS = 31;

    private static final int MASK = Integer.MAX_VALUE;

    private final LabeledSamples images;
    private final Image shape;
    private final int padding;
    private final boolean flips;
    private final long seed;
    private final int epoch;

    /** Beginning of the sequence of draws. */
    private final long key;

    /** Row of black pixels. */
    private final float[] black;

    private AugmentedImages(
            LabeledSamples images,
            Image shape,
            int padding,
            boolean flips,
            long seed,
            int epoch,
            float[] black) {
        this.images = images;
        this.shape = shape;
        this.padding = padding;
        this.flips = flips;
        this.seed = seed;
        this.epoch = epoch;
        this.key = key(seed, epoch);
        this.black = black;
    }

    static AugmentedImages of(
            LabeledSamples images, Image shape, Augmentation augmentation, long seed) {
        float[] black = new float[shape.width() * shape.channels()];
        for (int i = 0; i < black.length; i++) {
            black[i] = images.values().black(i % shape.channels());
        }
        return new AugmentedImages(
                images,
                shape,
                augmentation.crop().padding(),
                augmentation.flip() == Flip.HORIZONTAL,
                seed,
                1,
                black);
    }

    private static long key(long seed, int epoch) {
        return new SplittableRandom(new SplittableRandom(seed ^ SALT).nextLong() + epoch)
                .nextLong();
    }

    @Override
    public void addInputs(SampleDigest digest, int samples) {
        digest.add(padding);
        digest.add(flips ? 1 : 0);
        digest.add(seed);
        images.addInputs(digest, samples);
    }

    @Override
    public void addLabels(SampleDigest digest, int samples) {
        images.addLabels(digest, samples);
    }

    @Override
    public Dataset inEpoch(int other) {
        return other == epoch
                ? this
                : new AugmentedImages(images, shape, padding, flips, seed, other, black);
    }

    @Override
    public int size() {
        return images.size();
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public int positions() {
        return images.positions();
    }

    @Override
    public int classes() {
        return images.classes();
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        for (int i = 0; i < count; i++) {
            int sample = images.label(order[from + i], i, into);
            write(sample, mix(key + sample * GOLDEN_GAMMA), into.values(), (long) i * shape.size());
        }
    }

    /** The mixing function of SplitMix64. */
    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /**
     * Draws how far a crop is from the image.
     *
     * @return uniform from -padding to padding, up to a bias of padding in 2^30
     */
    private int offset(long bits) {
        return (int) (((bits & MASK) * (2L * padding + 1)) >>> OFFSET_BITS) - padding;
    }

    private void write(int sample, long bits, MemorySegment into, long at) {
        int down = offset(bits >>> (Long.SIZE - OFFSET_BITS));
        int right = offset(bits >>> 1);
        boolean isFlipped = flips && (bits & 1) != 0;
        int length = black.length;
        for (int y = 0; y < shape.height(); y++) {
            long start = at + (long) y * length;
            writeRow(sample, y + down, right, into, start);
            if (isFlipped) {
                flip(into, start);
            }
        }
    }

    /**
     * Writes a row of a crop.
     *
     * @param y row of the image; outside of it, the row is black
     * @param right column of the image at which the crop begins
     */
    private void writeRow(int sample, int y, int right, MemorySegment into, long at) {
        int length = black.length;
        if (y < 0 || y >= shape.height()) {
            blacken(length, into, at);
            return;
        }
        int skipped = Math.abs(right) * shape.channels();
        int first = Math.max(0, right) * shape.channels();
        int written = right < 0 ? skipped : 0;
        images.values().write(sample, y * length + first, length - skipped, into, at + written);
        blacken(skipped, into, right < 0 ? at : at + length - skipped);
    }

    /** Writes black pixels: {@code count} numbers, a multiple of the channels. */
    private void blacken(int count, MemorySegment into, long at) {
        MemorySegment.copy(black, 0, into, JAVA_FLOAT, at * Float.BYTES, count);
    }

    /** Exchanges left and right in a row. */
    private void flip(MemorySegment row, long at) {
        int channels = shape.channels();
        for (int left = 0, right = black.length - channels;
                left < right;
                left += channels, right -= channels) {
            for (int channel = 0; channel < channels; channel++) {
                float kept = row.getAtIndex(JAVA_FLOAT, at + left + channel);
                row.setAtIndex(
                        JAVA_FLOAT,
                        at + left + channel,
                        row.getAtIndex(JAVA_FLOAT, at + right + channel));
                row.setAtIndex(JAVA_FLOAT, at + right + channel, kept);
            }
        }
    }
}
