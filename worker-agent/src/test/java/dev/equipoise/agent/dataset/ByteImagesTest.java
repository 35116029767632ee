package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteImagesTest {
    private static final Image SHAPE = new Image(1, 2, 1);
    private static final byte[] BYTES = {0, 1, 2, 3, (byte) 128, (byte) 255};
    private final Dataset dataset =
            ByteImages.of(SHAPE, 200, BYTES, labels(7, 8, 190), 255, new Normalization.Unit());

    @Test
    void readsSamplesInTheGivenOrderScaledToOne() {
        Minibatch minibatch = new Minibatch(SHAPE, 1, 4, Arena.ofAuto());

        dataset.read(new int[] {1, 2, 0, 1}, 1, 2, minibatch);

        assertThat(minibatch.size()).isEqualTo(2);
        assertThat(minibatch.labels()).startsWith(190, 7);
        assertThat(minibatch.values().asSlice(0, 16).toArray(JAVA_FLOAT))
                .containsExactly(128 / 255f, 1, 0, 1 / 255f);
    }

    @Test
    void standardizesEachChannelByItsOwnConstants() {
        Dataset colored =
                ByteImages.of(
                        new Image(1, 1, 3),
                        2,
                        BYTES,
                        labels(0, 1),
                        255,
                        new Normalization.Standardize(
                                List.of(0.5, 0.25, 0.0), List.of(2., 1., 4.)));

        assertThat(TestingDatasets.read(colored, 1).values().toArray(JAVA_FLOAT))
                .containsExactly(
                        (float) ((3 / 255. - 0.5) / 2),
                        (float) (128 / 255. - 0.25),
                        (float) (1 / 4.));
    }

    @Test
    void readsAnEmptyBatch() {
        Minibatch minibatch = new Minibatch(SHAPE, 1, 0, Arena.ofAuto());

        dataset.read(new int[] {1}, 1, 0, minibatch);

        assertThat(minibatch.size()).isZero();
    }

    @Test
    void keepsTheFirstSamplesOfALimitedSet() {
        Minibatch minibatch = new Minibatch(SHAPE, 1, 1, Arena.ofAuto());

        assertThat(dataset.limit(2).size()).isEqualTo(2);
        assertThat(dataset.limit(9).size()).isEqualTo(3);
        assertThat(DatasetSplit.of(dataset, dataset).limit(1).test().size()).isEqualTo(3);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> dataset.limit(2).read(new int[] {2}, 0, 1, minibatch));
        assertThatIllegalArgumentException().isThrownBy(() -> dataset.limit(0));
    }

    @Test
    void rejectsMoreSamplesThanTheCapacityOfAMinibatch() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        dataset.read(
                                new int[] {0, 1}, 0, 2, new Minibatch(SHAPE, 1, 1, Arena.ofAuto())))
                .withMessage("size must be between 0 and 1, but was 2");
    }

    private static byte[] labels(int... labels) {
        byte[] bytes = new byte[labels.length];
        for (int i = 0; i < labels.length; i++) {
            bytes[i] = (byte) labels[i];
        }
        return bytes;
    }
}
