package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.performance.partition.PartialModels.Mark;
import dev.equipoise.performance.partition.PartialModels.Step;
import dev.equipoise.performance.partition.SpeedFunction.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class PartialModelsTest {

    private static final EpochWork WORK = EpochWork.of(3000, 10, 3);

    @Test
    void unmeasuredRanksAreMeasuredAtTheEqualShare() {
        assertThat(
                        PartialModels.next(
                                WORK,
                                List.of(List.of(), List.of(new Point(8, 1)), List.of()),
                                0.05))
                .isEqualTo(
                        new Step.Measure(
                                List.of(
                                        new Mark(100, false),
                                        new Mark(100, true),
                                        new Mark(100, false))));
    }

    /** The third rank slows down beyond 120 samples, which equal shares do not reveal. */
    @Test
    void convergesToSharesOfEqualTime() {
        List<DoubleUnaryOperator> times =
                List.of(x -> x, x -> 0.5 * x + 1, x -> x < 120 ? 0.2 * x : 24 + 2 * (x - 120));
        List<List<Point>> known = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        int measured = 0;

        Step step = PartialModels.next(WORK, known, 0.02);
        while (step instanceof Step.Measure(var marks)) {
            for (int rank = 0; rank < marks.size(); rank++) {
                if (!marks.get(rank).isKnown()) {
                    int size = marks.get(rank).size();
                    known.get(rank).add(new Point(size, times.get(rank).applyAsDouble(size)));
                    measured++;
                }
            }
            step = PartialModels.next(WORK, known, 0.02);
        }

        List<Integer> shares = ((Step.Balanced) step).shares();
        double[] seconds =
                IntStream.range(0, 3)
                        .mapToDouble(rank -> times.get(rank).applyAsDouble(shares.get(rank) / 10.0))
                        .toArray();
        assertThat(seconds[1]).isCloseTo(seconds[0], Percentage.withPercentage(5));
        assertThat(seconds[2]).isCloseTo(seconds[0], Percentage.withPercentage(5));
        assertThat(measured).isLessThan(15);
    }
}
