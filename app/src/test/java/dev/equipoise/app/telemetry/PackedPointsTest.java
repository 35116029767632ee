package dev.equipoise.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunReport.Observed;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedPointsTest {

    private static Observed observed(List<Long> steps, List<Double> seconds, List<Double> values) {
        return new Observed(0, Observed.TRAINING_LOSS, 1, steps, seconds, values, 0);
    }

    private static List<List<Double>> unpacked(byte[] packed) {
        List<List<Double>> points = new ArrayList<>();
        PackedPoints.unpack(
                packed,
                (step, seconds, value) -> points.add(List.of((double) step, seconds, value)));
        return points;
    }

    @Test
    void unpackingRestoresPoints() {
        Observed points =
                observed(
                        List.of(1L, 2L, 130L, 1L << 40),
                        List.of(0.0, 0.000_001, 1.5, 8e6),
                        List.of(2.302585, -0.0, Double.MIN_VALUE, -1e300));

        assertThat(unpacked(PackedPoints.pack(0, 0, points)))
                .containsExactly(
                        List.of(1.0, 0.0, 2.302585),
                        List.of(2.0, 0.000_001, -0.0),
                        List.of(130.0, 1.5, Double.MIN_VALUE),
                        List.of((double) (1L << 40), 8e6, -1e300));
    }

    @Test
    void appendedPointsUnpackAsOneCurve() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(
                PackedPoints.pack(
                        0, 0, observed(List.of(10L, 20L), List.of(0.5, 1.0), List.of(3.0, 2.0))));
        all.writeBytes(
                PackedPoints.pack(
                        20, 1_000_000, observed(List.of(30L), List.of(1.25), List.of(1.0))));

        assertThat(unpacked(all.toByteArray()))
                .containsExactly(
                        List.of(10.0, 0.5, 3.0), List.of(20.0, 1.0, 2.0), List.of(30.0, 1.25, 1.0));
    }

    @Test
    void pointEveryMillisecondTakesElevenBytes() {
        Observed points =
                observed(List.of(1L, 2L, 3L), List.of(0.001, 0.002, 0.003), List.of(3.0, 2.0, 1.0));

        assertThat(PackedPoints.pack(0, 0, points)).hasSize(33);
    }

    @Test
    void excessiveTimeIsClampedWithoutOverflow() {
        byte[] packed =
                PackedPoints.pack(0, 0, observed(List.of(1L), List.of(1e300), List.of(3.0)));

        assertThat(unpacked(packed).getFirst().get(1)).isPositive().isFinite();
    }
}
