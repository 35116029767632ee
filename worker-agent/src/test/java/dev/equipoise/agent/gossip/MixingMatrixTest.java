package dev.equipoise.agent.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MixingMatrixTest {

    private static final int MAX_RANKS = 17;
    private static final double ROUNDING = 1e-12;

    private static Stream<Schedule> schedules() {
        return Stream.of(
                new Schedule.Linear(false),
                new Schedule.Linear(true),
                new Schedule.Dissemination(),
                new Schedule.Fixed(1),
                new Schedule.RandomMatching(42));
    }

    /** Row sums of 1 keep equal vectors unchanged; column sums of 1 keep the mean unchanged. */
    @ParameterizedTest
    @MethodSource("schedules")
    void uniformMixingIsDoublyStochasticAndSymmetric(Schedule schedule) {
        for (int ranks = 1; ranks <= MAX_RANKS; ranks++) {
            for (int exchange = 0; exchange < MAX_RANKS; exchange++) {
                double[][] matrix =
                        MixingMatrix.of(schedule, new Mixing.Uniform(), ranks, exchange);
                assertRowsSumToOne(matrix);
                assertThat(leftProduct(ones(ranks), matrix))
                        .containsExactly(ones(ranks), within(ROUNDING));
                assertThat(matrix).isDeepEqualTo(transposed(matrix));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void metropolisMixingKeepsTheMeanWeightedBySamples(Schedule schedule) {
        for (int ranks = 1; ranks <= MAX_RANKS; ranks++) {
            List<Long> samples =
                    LongStream.range(0, ranks).map(it -> 100 + 37 * it).boxed().toList();
            double[] weights = samples.stream().mapToDouble(Long::doubleValue).toArray();
            for (int exchange = 0; exchange < MAX_RANKS; exchange++) {
                double[][] matrix =
                        MixingMatrix.of(schedule, new Mixing.Metropolis(samples), ranks, exchange);
                assertRowsSumToOne(matrix);
                assertThat(leftProduct(weights, matrix))
                        .containsExactly(weights, within(weights[ranks - 1] * ROUNDING));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void pushSumPreservesTheTotalMass(Schedule schedule) {
        for (int ranks = 1; ranks <= MAX_RANKS; ranks++) {
            for (int exchange = 0; exchange < MAX_RANKS; exchange++) {
                double[][] matrix =
                        MixingMatrix.of(schedule, new Mixing.PushSum(), ranks, exchange);
                assertThat(leftProduct(ones(ranks), matrix))
                        .containsExactly(ones(ranks), within(ROUNDING));
            }
        }
    }

    @Test
    void metropolisIsUniformForEqualSamples() {
        var schedule = new Schedule.Linear(false);

        assertThat(MixingMatrix.of(schedule, new Mixing.Metropolis(List.of(5L, 5L, 5L)), 3, 0))
                .isDeepEqualTo(MixingMatrix.of(schedule, new Mixing.Uniform(), 3, 0));
    }

    @Test
    void rejectsARankWithoutSamples() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Mixing.Metropolis(List.of(3L, 0L)))
                .withMessage("every rank must have at least 1 sample, but the samples are [3, 0]");
    }

    /**
     * The second largest moduli in the table of docs/algorithms.md, section 2.2, with the literal
     * pairing of the paper.
     */
    @ParameterizedTest(name = "{0} ranks")
    @CsvSource({
        "8, 0.80474, 0.1111",
        "16, 0.94925, 0.01235",
        "32, 0.98719, 1.52e-4",
        "60, 0.99635, 6.97e-8",
        "210, 0.99970, 5.2e-26",
        "512, 0.99995, 8.5e-62"
    })
    void contractionFollowsTheory(int ranks, double fixed, double rotation) {
        double[] fixedDistance = eigenvalues(new Schedule.Fixed(1), ranks, 1);
        double[] all = eigenvalues(new Schedule.Linear(true), ranks, ranks / 2);

        assertThat(fixedDistance[0]).isCloseTo(1, within(ROUNDING));
        assertThat(all[0]).isCloseTo(1, within(ranks * ROUNDING));
        assertThat(largestModulus(fixedDistance)).isCloseTo(fixed, within(0.5e-5));
        // The table has two digits of the smallest values, which may be off by half of the last
        // digit.
        assertThat(largestModulus(all)).isCloseTo(rotation, within(rotation * 1e-2));
    }

    /**
     * With single pairing the eigenvalues of the last distance are 0 and 1 instead of -1/3 and 1.
     */
    @Test
    void pairingAHalfwayPartnerOnceContractsNoLess() {
        List<double[][]> once = uniform(new Schedule.Linear(false), 16, 8);
        List<double[][]> twice = uniform(new Schedule.Linear(true), 16, 8);

        assertThat(contraction(once)).isLessThanOrEqualTo(contraction(twice) * (1 + 1e-6));
    }

    @Test
    void separateGroupsDoNotContract() {
        assertThat(contraction(uniform(new Schedule.Fixed(2), 8, 1)))
                .isCloseTo(1, within(ROUNDING));
    }

    @Test
    void pushSumReachesTheMeanAfterOneDisseminationCycle() {
        double[] vector = {1, 0, 0, 0, 0, 0, 0, 0};
        for (int exchange = 0; exchange < 3; exchange++) {
            vector =
                    product(
                            MixingMatrix.of(
                                    new Schedule.Dissemination(),
                                    new Mixing.PushSum(),
                                    8,
                                    exchange),
                            vector);
        }

        assertThat(vector).containsOnly(1.0 / 8);
    }

    private static List<double[][]> uniform(Schedule schedule, int ranks, int exchanges) {
        return IntStream.range(0, exchanges)
                .mapToObj(it -> MixingMatrix.of(schedule, new Mixing.Uniform(), ranks, it))
                .toList();
    }

    /**
     * Returns the eigenvalues of the product of the matrices of several exchanges. All are
     * circulant, so they share their eigenvectors, and eigenvalue q of each is the sum over j of
     * its first row times cos(2 pi q j / P), as the rows are symmetric.
     */
    private static double[] eigenvalues(Schedule schedule, int ranks, int exchanges) {
        double[] products = ones(ranks);
        for (int exchange = 0; exchange < exchanges; exchange++) {
            double[][] matrix = MixingMatrix.of(schedule, new Mixing.Uniform(), ranks, exchange);
            assertThat(isSymmetricCirculant(matrix)).isTrue();
            for (int q = 0; q < ranks; q++) {
                products[q] *= eigenvalue(matrix[0], q);
            }
        }
        return products;
    }

    private static double eigenvalue(double[] row, int q) {
        double sum = 0;
        for (int j = 0; j < row.length; j++) {
            if (row[j] != 0) {
                sum += row[j] * Math.cos(2 * Math.PI * ((long) q * j % row.length) / row.length);
            }
        }
        return sum;
    }

    private static boolean isSymmetricCirculant(double[][] matrix) {
        int ranks = matrix.length;
        for (int i = 0; i < ranks; i++) {
            for (int j = 0; j < ranks; j++) {
                double expected = matrix[0][Math.floorMod(j - i, ranks)];
                if (matrix[i][j] != expected || matrix[j][i] != expected) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the largest modulus without the first eigenvalue, which is that of the mean. */
    private static double largestModulus(double[] eigenvalues) {
        return Arrays.stream(eigenvalues).skip(1).map(Math::abs).max().orElseThrow();
    }

    /** Returns the contraction by power iteration on vectors whose mean is subtracted. */
    private static double contraction(List<double[][]> matrices) {
        int ranks = matrices.getFirst().length;
        double[] vector =
                IntStream.range(0, ranks).mapToDouble(it -> Math.sin(1 + it * it)).toArray();
        double norm = 0;
        for (int step = 0; step < 2000; step++) {
            centerAndScale(vector);
            for (double[][] matrix : matrices) {
                vector = product(matrix, vector);
            }
            norm = Math.sqrt(IntStream.range(0, ranks).mapToDouble(centered(vector)).sum());
        }
        return norm;
    }

    private static IntToDoubleFunction centered(double[] vector) {
        double mean = Arrays.stream(vector).average().orElseThrow();
        return it -> (vector[it] - mean) * (vector[it] - mean);
    }

    private static void centerAndScale(double[] vector) {
        double mean = Arrays.stream(vector).average().orElseThrow();
        double norm =
                Math.sqrt(IntStream.range(0, vector.length).mapToDouble(centered(vector)).sum());
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (vector[i] - mean) / norm;
        }
    }

    private static double[] product(double[][] matrix, double[] vector) {
        double[] result = new double[vector.length];
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < matrix.length; j++) {
                result[i] += matrix[i][j] * vector[j];
            }
        }
        return result;
    }

    private static double[] leftProduct(double[] vector, double[][] matrix) {
        return product(transposed(matrix), vector);
    }

    private static double[][] transposed(double[][] matrix) {
        double[][] result = new double[matrix.length][matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < matrix.length; j++) {
                result[i][j] = matrix[j][i];
            }
        }
        return result;
    }

    private static void assertRowsSumToOne(double[][] matrix) {
        assertThat(product(matrix, ones(matrix.length)))
                .containsExactly(ones(matrix.length), within(ROUNDING));
    }

    private static double[] ones(int count) {
        return IntStream.range(0, count).mapToDouble(_ -> 1).toArray();
    }
}
