package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.Augmentation.Crop;
import dev.equipoise.protocol.dataset.Augmentation.Flip;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Vector;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AugmentedImagesTest {

    private static final Image CIFAR = new Image(32, 32, 3);
    private static final Image SMALL = new Image(4, 5, 3);
    private static final long SEED = 7;
    private static final int SAMPLES = 60;
    private static final Augmentation RECIPE = new Augmentation(new Crop(4), Flip.HORIZONTAL);

    private static final Augmentation RECIPE_OF_SMALL =
            new Augmentation(new Crop(2), Flip.HORIZONTAL);

    /** Bytes of the JVM's own, such as a boxed number now and then. */
    private static final int MAX_BYTES_PER_BATCH = 256;

    /** Crop and flip that make an augmented image. */
    record Draw(int down, int right, boolean isFlipped) {}

    /** Images of random bytes but 0, so that no pixel looks like padding. */
    private static Dataset images(Image shape, int samples, Normalization normalization) {
        var random = new SplittableRandom(1);
        byte[] bytes = new byte[samples * shape.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(1, 256);
        }
        byte[] labels = new byte[samples];
        for (int i = 0; i < samples; i++) {
            labels[i] = (byte) (i % 10);
        }
        return ByteImages.of(shape, 10, bytes, labels, 255, normalization);
    }

    private static Dataset images(Image shape, int samples) {
        return images(shape, samples, new Normalization.Unit());
    }

    private static float[] image(Dataset dataset, int sample) {
        return TestingDatasets.read(dataset, sample).values().toArray(JAVA_FLOAT);
    }

    /** Pads, crops and flips pixel by pixel. */
    private static float[] changed(float[] image, Image shape, Draw draw) {
        float[] changed = new float[image.length];
        for (int y = 0; y < shape.height(); y++) {
            for (int x = 0; x < shape.width(); x++) {
                int column = (draw.isFlipped() ? shape.width() - 1 - x : x) + draw.right();
                int row = y + draw.down();
                boolean isInside =
                        row >= 0 && row < shape.height() && column >= 0 && column < shape.width();
                for (int channel = 0; channel < shape.channels(); channel++) {
                    int to = (y * shape.width() + x) * shape.channels() + channel;
                    int from = (row * shape.width() + column) * shape.channels() + channel;
                    changed[to] = isInside ? image[from] : 0;
                }
            }
        }
        return changed;
    }

    private static List<Draw> draws(Augmentation augmentation) {
        int padding = augmentation.crop().padding();
        List<Boolean> flips =
                augmentation.flip() == Flip.NONE ? List.of(false) : List.of(false, true);
        return IntStream.rangeClosed(-padding, padding)
                .boxed()
                .flatMap(down ->
                        IntStream.rangeClosed(-padding, padding)
                                .boxed()
                                .flatMap(right ->
                                        flips.stream().map(flip -> new Draw(down, right, flip))))
                .toList();
    }

    private static Draw drawOf(
            float[] augmented, float[] image, Image shape, Augmentation augmentation) {
        List<Draw> found =
                draws(augmentation).stream()
                        .filter(it -> Arrays.equals(changed(image, shape, it), augmented))
                        .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** 1,800 images and 18 equally likely draws: each is expected 100 times, +- 4 sigma. */
    @Test
    void everyCropAndFlipIsDrawnEquallyOften() {
        var augmentation = new Augmentation(new Crop(1), Flip.HORIZONTAL);
        Dataset plain = images(SMALL, SAMPLES);
        Dataset augmented = plain.augmented(augmentation, SEED);
        Map<Draw, Integer> counts = new HashMap<>();
        for (int epoch = 1; epoch <= 30; epoch++) {
            Dataset drawn = augmented.inEpoch(epoch);
            for (int sample = 0; sample < SAMPLES; sample++) {
                counts.merge(
                        drawOf(image(drawn, sample), image(plain, sample), SMALL, augmentation),
                        1,
                        Integer::sum);
            }
        }

        assertThat(counts).hasSize(18);
        assertThat(counts.values()).allSatisfy(it -> assertThat(it).isBetween(61, 139));
    }

    @ParameterizedTest
    @CsvSource({"0, HORIZONTAL", "3, NONE", "2, HORIZONTAL"})
    void imagesAreCropsAndFlipsOfTheOriginals(int padding, Flip flip) {
        var augmentation = new Augmentation(new Crop(padding), flip);
        Dataset plain = images(SMALL, SAMPLES);
        Dataset augmented = plain.augmented(augmentation, SEED).inEpoch(3);

        for (int sample = 0; sample < SAMPLES; sample++) {
            Draw draw = drawOf(image(augmented, sample), image(plain, sample), SMALL, augmentation);
            assertThat(Math.abs(draw.down())).isLessThanOrEqualTo(padding);
        }
        assertThat(TestingDatasets.read(augmented, 13, 4).labels()).containsExactly(3, 4);
    }

    @ParameterizedTest
    @CsvSource({"60", "20 20 20", "5 0 55", "1 2 3 4 50"})
    void anyDivisionOverRanksGivesTheSameImages(String division) {
        Dataset augmented = images(CIFAR, SAMPLES).augmented(RECIPE, SEED);
        List<Integer> shares = Arrays.stream(division.split(" ")).map(Integer::valueOf).toList();
        for (int epoch = 1; epoch <= 2; epoch++) {
            Map<Integer, float[]> found = new HashMap<>();
            for (int rank = 0; rank < shares.size(); rank++) {
                // Each rank has a copy of its own, and may come from another epoch.
                Dataset own = images(CIFAR, SAMPLES).augmented(RECIPE, SEED).inEpoch(9);
                readShare(own.inEpoch(epoch), new Shards(shares, 4), rank, epoch, found);
            }

            assertThat(found).hasSize(SAMPLES);
            for (int sample = 0; sample < SAMPLES; sample++) {
                assertThat(requireNonNull(found.get(sample)))
                        .containsExactly(image(augmented.inEpoch(epoch), sample));
            }
        }
    }

    private static void readShare(
            Dataset images, Shards shards, int rank, int epoch, Map<Integer, float[]> found) {
        int[] order = Permutation.of(SEED, epoch, SAMPLES);
        var minibatch = new Minibatch(images.shape(), 1, SAMPLES, Arena.ofAuto());
        for (int round = 0; round < shards.rounds(); round++) {
            Slice slice = shards.batch(rank, round);
            images.read(order, slice.from(), slice.count(), minibatch);
            float[] values = minibatch.values().toArray(JAVA_FLOAT);
            int length = images.shape().size();
            for (int i = 0; i < slice.count(); i++) {
                found.put(
                        order[slice.from() + i],
                        Arrays.copyOfRange(values, i * length, (i + 1) * length));
            }
        }
    }

    @Test
    void seedAndEpochChangeTheImages() {
        Dataset one = images(CIFAR, SAMPLES).augmented(RECIPE, SEED);
        Dataset otherSeed = images(CIFAR, SAMPLES).augmented(RECIPE, SEED + 1);

        // 162 draws of equal probability: of 60 samples, hardly any has the same twice.
        assertThat(equalImages(one, one.inEpoch(2))).isLessThan(5);
        assertThat(equalImages(one, otherSeed)).isLessThan(5);
        assertThat(equalImages(one, one.inEpoch(2).inEpoch(1))).isEqualTo(SAMPLES);
    }

    private static long equalImages(Dataset one, Dataset other) {
        return IntStream.range(0, SAMPLES)
                .filter(it -> Arrays.equals(image(one, it), image(other, it)))
                .count();
    }

    @Test
    void paddingIsBlackAfterTheNormalization() {
        var standardization =
                new Normalization.Standardize(List.of(0.5, 0.25, 0.0), List.of(0.5, 0.5, 0.5));
        Dataset augmented =
                images(SMALL, SAMPLES, standardization)
                        .augmented(new Augmentation(new Crop(3), Flip.NONE), SEED);
        float[] black = {-1, -0.5f, 0};

        long blackPixels = 0;
        for (int sample = 0; sample < SAMPLES; sample++) {
            float[] image = image(augmented, sample);
            for (int i = 0; i < image.length; i += 3) {
                blackPixels += Arrays.equals(black, Arrays.copyOfRange(image, i, i + 3)) ? 1 : 0;
            }
        }

        // A side loses 12/7 of its rows and columns on average.
        assertThat(blackPixels / (double) (SAMPLES * 20)).isBetween(0.5, 0.7);
    }

    @Test
    void syntheticImagesAreAugmentedWithinTheirLimit() {
        var spec = new DatasetSpec.Synthetic(List.of(4, 5, 3), 2, 20, 1, 10);
        DatasetSplit plain = SyntheticPatterns.of(spec, 20).limit(10);
        DatasetSplit augmented = plain.augmented(RECIPE_OF_SMALL, SEED);

        assertThat(augmented.training().size()).isEqualTo(10);
        for (int sample = 0; sample < 10; sample++) {
            drawOf(
                    image(augmented.training().inEpoch(2), sample),
                    image(plain.training(), sample),
                    SMALL,
                    RECIPE_OF_SMALL);
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> image(augmented.training().inEpoch(2), 10));
    }

    @Test
    void testImagesStayAsTheyAre() {
        DatasetSplit plain = DatasetSplit.of(images(CIFAR, 3), images(CIFAR, 3));

        assertThat(plain.augmented(RECIPE, SEED).test()).isSameAs(plain.test());
        assertThat(plain.augmented(RECIPE, SEED).training()).isNotSameAs(plain.training());
        assertThat(plain.augmented(Augmentation.NONE, SEED).training()).isSameAs(plain.training());
    }

    @Test
    void vectorsAreNotAugmented() {
        Dataset vectors = FloatRows.of(new Vector(4), 2, new float[] {1, 2, 3, 4}, new int[] {0});

        assertThat(vectors.augmented(Augmentation.NONE, SEED)).isSameAs(vectors);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vectors.augmented(RECIPE, SEED))
                .withMessageContaining("only images can be augmented");
    }

    @Tag("allocation")
    @Test
    void readingAllocatesNothing() throws Exception {
        Dataset augmented = images(CIFAR, SAMPLES).augmented(RECIPE, SEED).inEpoch(2);
        var minibatch = new Minibatch(CIFAR, 1, SAMPLES, Arena.ofAuto());
        int[] order = Permutation.of(SEED, 2, SAMPLES);

        AllocationTrials.assertBytesPerRound(
                MAX_BYTES_PER_BATCH,
                () ->
                        AllocationTrials.bytesOf(() -> {
                            for (int i = 0; i < 50; i++) {
                                augmented.read(order, 0, SAMPLES, minibatch);
                            }
                        })
                                / 50);
    }
}
