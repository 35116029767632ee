package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClipTest {

    private static final MemorySegment GRADIENT = vector(3, -4);

    @Test
    void noClippingKeepsEveryBit() {
        Clip clip = Clip.of(new Clipping.None(), GRADIENT);

        for (float element : new float[] {0, -0f, 1, -7, Float.MIN_VALUE, Float.MAX_VALUE}) {
            assertThat(clip.of(element)).isEqualTo(element);
        }
        assertThat(clip.of(Float.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
    }

    @Test
    void aLongGradientIsShortenedToTheLimitAndKeepsItsDirection() {
        Clip clip = Clip.of(new Clipping.Norm(0.5), GRADIENT);

        assertThat(clip.of(3)).isCloseTo(0.3f, within(1e-6f));
        assertThat(clip.of(-4)).isCloseTo(-0.4f, within(1e-6f));
    }

    @Test
    void aShortGradientIsKept() {
        Clip clip = Clip.of(new Clipping.Norm(5.1), GRADIENT);

        assertThat(clip.of(3)).isEqualTo(3);
        assertThat(clip.of(-4)).isEqualTo(-4);
    }

    @Test
    void aGradientOfZeroStaysZero() {
        assertThat(Clip.of(new Clipping.Norm(0.1), vector(0, 0)).of(0)).isZero();
    }

    @Test
    void elementsAreCutToTheLimitOnBothSides() {
        Clip clip = Clip.of(new Clipping.Value(3.5), GRADIENT);

        assertThat(clip.of(3)).isEqualTo(3);
        assertThat(clip.of(-4)).isEqualTo(-3.5f);
        assertThat(clip.of(Float.POSITIVE_INFINITY)).isEqualTo(3.5f);
    }

    /** So that a training that diverged is seen to. */
    @Test
    void noClippingHidesWhatIsNotANumber() {
        MemorySegment spoilt = vector(1, Float.NaN);

        assertThat(Clip.of(new Clipping.None(), spoilt).of(Float.NaN)).isNaN();
        assertThat(Clip.of(new Clipping.Value(1), spoilt).of(Float.NaN)).isNaN();
        assertThat(Clip.of(new Clipping.Norm(1), spoilt).of(1)).isNaN();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 9, 1000})
    void theNormCountsEveryElementOnce(int count) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, count);
        IntStream.range(0, count).forEach(i -> vector.setAtIndex(JAVA_FLOAT, i, i + 1));

        double squares = count * (count + 1.0) * (2.0 * count + 1) / 6;
        assertThat(Clip.norm(vector)).isCloseTo(Math.sqrt(squares), within(1e-9));
    }

    /** A sum of floats would stand still at 2^24, and overflow at the second vector. */
    @Test
    void theNormIsSummedInDouble() {
        MemorySegment ones = Arena.ofAuto().allocate(JAVA_FLOAT, 1 << 25);
        for (int i = 0; i < 1 << 25; i++) {
            ones.setAtIndex(JAVA_FLOAT, i, 1);
        }

        assertThat(Clip.norm(ones)).isEqualTo(Math.sqrt(1 << 25));
        assertThat(Clip.norm(vector(3e30f, 4e30f))).isCloseTo(5e30, within(1e24));
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }
}
