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

/** What a lost partner would have counted stays with the rank itself, on both sides. */
class LostPartnersTest {

    private static final double EXACT = 1e-12;
    private static final List<Long> SAMPLES = List.of(10L, 20L, 30L, 40L, 50L, 60L);
    private static final Set<Integer> LOST = Set.of(1, 4);
    private static final List<Integer> LEFT = List.of(0, 2, 3, 5);

    static Stream<Arguments> schedules() {
        return Stream.of(
                        new Schedule.Linear(false),
                        new Schedule.Linear(true),
                        new Schedule.Dissemination(),
                        new Schedule.Fixed(1),
                        new Schedule.RandomMatching(7))
                .flatMap(it -> IntStream.range(0, 6).mapToObj(at -> Arguments.of(it, at)));
    }

    /** By rank that is left: what it makes of each of these. */
    private static double[][] matrix(Mixing mixing, Schedule schedule, int exchange) {
        double[][] matrix = new double[LEFT.size()][LEFT.size()];
        for (int row = 0; row < LEFT.size(); row++) {
            int rank = LEFT.get(row);
            Mixture whole = mixing.of(rank, schedule.partners(rank, SAMPLES.size(), exchange));
            Mixture left = mixing.without(whole, LOST::contains);
            matrix[row][row] += left.own();
            for (Mixture.Part part : left.parts()) {
                matrix[row][LEFT.indexOf(part.from())] += part.weight();
            }
            assertThat(left.recipients()).isSubsetOf(LEFT);
        }
        return matrix;
    }

    private static double row(double[][] matrix, int row) {
        return IntStream.range(0, LEFT.size()).mapToDouble(it -> matrix[row][it]).sum();
    }

    private static double column(double[][] matrix, int column) {
        return IntStream.range(0, LEFT.size()).mapToDouble(it -> matrix[it][column]).sum();
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void aMeanStaysOneOfThoseThatAreLeft(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.Uniform(), schedule, exchange);

        for (int rank = 0; rank < LEFT.size(); rank++) {
            assertThat(row(matrix, rank)).isCloseTo(1, within(EXACT));
            assertThat(column(matrix, rank)).isCloseTo(1, within(EXACT));
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void theMeanBySamplesIsPreserved(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.Metropolis(SAMPLES), schedule, exchange);

        for (int i = 0; i < LEFT.size(); i++) {
            assertThat(row(matrix, i)).isCloseTo(1, within(EXACT));
            for (int j = 0; j < LEFT.size(); j++) {
                assertThat(SAMPLES.get(LEFT.get(i)) * matrix[i][j])
                        .isCloseTo(SAMPLES.get(LEFT.get(j)) * matrix[j][i], within(EXACT));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void noMassGoesToWhoIsLost(Schedule schedule, int exchange) {
        double[][] matrix = matrix(new Mixing.PushSum(), schedule, exchange);

        for (int rank = 0; rank < LEFT.size(); rank++) {
            assertThat(column(matrix, rank)).isCloseTo(1, within(EXACT));
        }
    }
}
