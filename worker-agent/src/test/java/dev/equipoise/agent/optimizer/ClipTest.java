package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ClipTest {

    private static float[] clipped(Clipping clipping, float... gradient) {
        float[] clipped = gradient.clone();
        Clip.of(clipping, 1, vector(gradient), new Norm()).apply(clipped, clipped.length);
        return clipped;
    }

    @Test
    void noClippingKeepsEveryBit() {
        float[] elements = {0, -0f, 1, -7, Float.MIN_VALUE, Float.MAX_VALUE, 1 / -0f};

        assertThat(clipped(new Clipping.None(), elements)).containsExactly(elements);
    }

    @Test
    void longGradientIsScaledToTheLimit() {
        assertThat(clipped(new Clipping.Norm(0.5), 3, -4))
                .containsExactly(new float[] {0.3f, -0.4f}, within(1e-6f));
    }

    @Test
    void shortGradientIsUnchanged() {
        assertThat(clipped(new Clipping.Norm(5.1), 3, -4)).containsExactly(3, -4);
    }

    @Test
    void zeroGradientStaysZero() {
        assertThat(clipped(new Clipping.Norm(0.1), 0, 0)).containsExactly(0, 0);
    }

    @Test
    void elementsAreClippedOnBothSides() {
        assertThat(clipped(new Clipping.Value(3.5), 3, -4, 1 / 0f, 3.5f))
                .containsExactly(3, -3.5f, 3.5f, 3.5f);
    }

    @Test
    void elementsBehindTheLengthAreUnchanged() {
        float[] gradient = {9, 9, 9};

        Clip.of(new Clipping.Value(1), 1, vector(gradient), new Norm()).apply(gradient, 2);

        assertThat(gradient).containsExactly(1, 1, 9);
    }

    /** Keeps NaN, so that divergence is detected. */
    @Test
    void noClippingHidesNaN() {
        assertThat(clipped(new Clipping.None(), 1, Float.NaN)).containsExactly(1, Float.NaN);
        assertThat(clipped(new Clipping.Value(1), 1, Float.NaN)).containsExactly(1, Float.NaN);
        assertThat(clipped(new Clipping.Norm(1), 1, Float.NaN)).containsOnly(Float.NaN);
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }
}
