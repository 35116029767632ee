package dev.equipoise.agent.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The weight of a lost partner stays with the rank itself, on both sides (docs/algorithms.md,
 * section 11).
 */
class LostPartnersTest {

    private static final double EXACT = 1e-12;
    private static final List<Long> SAMPLES = List.of(10L, 20L, 30L, 40L, 50L, 60L);
    private static final Set<Integer> LOST = Set.of(1, 4);
    private static final List<Integer> REMAINING = List.of(0, 2, 3, 5);

    static Stream<Arguments> schedules() {
        return Stream.of(
                        new Schedule.Linear(false),
                        new Schedule.Linear(true),
                        new Schedule.Dissemination(),
                        new Schedule.Fixed(1),
                        new Schedule.RandomMatching(7))
                .flatMap(it -> IntStream.range(0, 6).mapToObj(at -> Arguments.of(it, at)));
    }

    /** Returns the mixing matrix of the remaining ranks. */
    private static double[][] matrix(Mixing mixing, Schedule schedule, int exchange) {
        double[][] matrix = new double[REMAINING.size()][REMAINING.size()];
        for (int row = 0; row < REMAINING.size(); row++) {
            int rank = REMAINING.get(row);
            MixingRow full = mixing.of(rank, schedule.partners(rank, SAMPLES.size(), exchange));
            MixingRow remaining = mixing.without(full, LOST::contains);
            matrix[row][row] += remaining.own();
            for (MixingRow.Part part : remaining.parts()) {
                matrix[row][REMAINING.indexOf(part.from())] += part.weight();
            }
            assertThat(remaining.recipients()).isSubsetOf(REMAINING);
        }
        return matrix;
    }

    private static double row(double[][] matrix, int row) {
        return IntStream.range(0, REMAINING.size()).mapToDouble(it -> matrix[row][it]).sum();
    }

    private static double column(double[][] matrix, int column) {
        return IntStream.range(0, REMAINING.size()).mapToDouble(it -> matrix[it][column]).sum();
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void uniformMixingStaysDoublyStochasticWithoutLostRanks(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.Uniform(), schedule, exchange);

        for (int rank = 0; rank < REMAINING.size(); rank++) {
            assertThat(row(matrix, rank)).isCloseTo(1, within(EXACT));
            assertThat(column(matrix, rank)).isCloseTo(1, within(EXACT));
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void metropolisPreservesTheMeanBySamplesWithoutLostRanks(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.Metropolis(SAMPLES), schedule, exchange);

        for (int i = 0; i < REMAINING.size(); i++) {
            assertThat(row(matrix, i)).isCloseTo(1, within(EXACT));
            for (int j = 0; j < REMAINING.size(); j++) {
                assertThat(SAMPLES.get(REMAINING.get(i)) * matrix[i][j])
                        .isCloseTo(SAMPLES.get(REMAINING.get(j)) * matrix[j][i], within(EXACT));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void noMassIsSentToLostRanks(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.PushSum(), schedule, exchange);

        for (int rank = 0; rank < REMAINING.size(); rank++) {
            assertThat(column(matrix, rank)).isCloseTo(1, within(EXACT));
        }
    }
}
