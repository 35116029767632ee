package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;
import org.junit.jupiter.api.Test;

class DatasetTest {
    private static final Shape SHAPE = new Shape(1, 2, 1);
    private final Dataset dataset =
            new Dataset(
                    SHAPE,
                    10,
                    3,
                    new byte[] {0, 1, 2, 3, (byte) 128, (byte) 255},
                    new byte[] {7, 8, 9});

    @Test
    void readsSamplesInTheGivenOrderScaledToOne() {
        Minibatch minibatch = new Minibatch(SHAPE, 4);

        dataset.read(new int[] {1, 2, 0, 1}, 1, 2, minibatch);

        assertThat(minibatch.size()).isEqualTo(2);
        assertThat(minibatch.label(0)).isEqualTo(9);
        assertThat(minibatch.label(1)).isEqualTo(7);
        assertThat(minibatch.images().asSlice(0, 16).toArray(JAVA_FLOAT))
                .containsExactly(128 / 255f, 1, 0, 1 / 255f);
    }

    @Test
    void readsNothingWhereABatchIsEmpty() {
        Minibatch minibatch = new Minibatch(SHAPE, 0);

        dataset.read(new int[] {1}, 1, 0, minibatch);

        assertThat(minibatch.size()).isZero();
    }

    @Test
    void keepsTheFirstSamplesOfALimitedSet() {
        assertThat(dataset.limit(2).size()).isEqualTo(2);
        assertThat(dataset.limit(9).size()).isEqualTo(3);
        assertThat(new DatasetSplit(dataset, dataset).limit(1).test().size()).isEqualTo(3);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(
                        () -> dataset.limit(2).read(new int[] {2}, 0, 1, new Minibatch(SHAPE, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> dataset.limit(0));
    }

    @Test
    void refusesMoreSamplesThanAMinibatchHasRoomFor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dataset.read(new int[] {0, 1}, 0, 2, new Minibatch(SHAPE, 1)))
                .withMessage("size must be between 0 and 1, but was 2");
    }
}
