package dev.equipoise.agent.network.nd4j;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/*
 * Every operation runs several times, so that memory that is not synchronized shows: what a device
 * still has of the round before is wrong in the next.
 */
/** Self-test of a backend: compares results of ND4J's operations with Java's. */
final class BackendSelfTest {
    private static final int ROUNDS = 3;
    private static final int ROWS = 67;
    private static final int INNER = 33;
    private static final int COLUMNS = 130;

    /** Tolerance for sums of some hundred float32 products, which fractions of ten bits exceed. */
    private static final double TOLERANCE = 1e-5;

    private final SplittableRandom random = new SplittableRandom(1);
    private final Tensor tall;
    private final Tensor wide;
    private final Tensor large;
    private final Tensor bias;
    private final List<Operation> operations;

    private BackendSelfTest(Arena arena, Operations operations) {
        this.tall = Tensor.zeros(arena, ROWS, INNER);
        this.wide = Tensor.zeros(arena, INNER, COLUMNS);
        this.large = Tensor.zeros(arena, ROWS, COLUMNS);
        this.bias = Tensor.zeros(arena, COLUMNS);
        Tensor product = Tensor.zeros(arena, ROWS, COLUMNS);
        Tensor byLeft = Tensor.zeros(arena, INNER, COLUMNS);
        Tensor byRight = Tensor.zeros(arena, ROWS, INNER);
        Tensor shares = Tensor.zeros(arena, ROWS, COLUMNS);
        this.operations =
                List.of(
                        new Operation(
                                "left right",
                                operations.multiply(tall, wide, product),
                                product,
                                () -> table(ROWS, COLUMNS, this::product)),
                        new Operation(
                                "left^T right",
                                operations.multiplyLeftTransposed(tall, large, byLeft),
                                byLeft,
                                () -> table(INNER, COLUMNS, this::productOfColumns)),
                        new Operation(
                                "left right^T",
                                operations.multiplyRightTransposed(large, wide, byRight),
                                byRight,
                                () -> table(ROWS, INNER, this::productOfRows)),
                        new Operation(
                                "softmax",
                                operations.softmax(large, shares),
                                shares,
                                () -> table(ROWS, COLUMNS, this::share)),
                        new Operation(
                                "rows + bias",
                                operations.addBias(large, bias),
                                large,
                                () -> table(ROWS, COLUMNS, this::biased)));
    }

    /**
     * Checks all results.
     *
     * @throws BackendUnavailable with the first wrong result
     */
    static void requireRightResults(Operations operations) {
        try (Arena arena = Arena.ofConfined()) {
            var selfTest = new BackendSelfTest(arena, operations);
            for (int round = 0; round < ROUNDS; round++) {
                selfTest.run();
            }
        }
    }

    private void run() {
        List.of(tall, wide, large, bias).forEach(this::draw);
        for (Operation operation : operations) {
            double[] expected = operation.expected().get();
            operation.task().run();
            requireClose(operation, expected);
        }
    }

    private void draw(Tensor tensor) {
        for (int i = 0; i < tensor.length(); i++) {
            tensor.memory().setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
    }

    private static void requireClose(Operation operation, double[] expected) {
        for (int i = 0; i < expected.length; i++) {
            float actual = operation.result().memory().getAtIndex(JAVA_FLOAT, i);
            // Written such that a difference of NaN fails.
            if (!(Math.abs(actual - expected[i]) <= TOLERANCE)) {
                throw new BackendUnavailable(
                        "ND4J computes %s wrongly on this host: %s instead of %s"
                                .formatted(operation.name(), actual, expected[i]),
                        null);
            }
        }
    }

    private double product(int row, int column) {
        double sum = 0;
        for (int i = 0; i < INNER; i++) {
            sum += at(tall, row, i) * at(wide, i, column);
        }
        return sum;
    }

    private double productOfColumns(int row, int column) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            sum += at(tall, i, row) * at(large, i, column);
        }
        return sum;
    }

    private double productOfRows(int row, int column) {
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++) {
            sum += at(large, row, i) * at(wide, column, i);
        }
        return sum;
    }

    private double share(int row, int column) {
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++) {
            sum += Math.exp(at(large, row, i));
        }
        return Math.exp(at(large, row, column)) / sum;
    }

    private double biased(int row, int column) {
        return at(large, row, column) + bias.memory().getAtIndex(JAVA_FLOAT, column);
    }

    private static double at(Tensor matrix, int row, int column) {
        return matrix.memory().getAtIndex(JAVA_FLOAT, row * matrix.shape().getLast() + column);
    }

    private static double[] table(int rows, int columns, Entry entry) {
        double[] table = new double[rows * columns];
        for (int i = 0; i < table.length; i++) {
            table[i] = entry.at(i / columns, i % columns);
        }
        return table;
    }

    /**
     * Operation of ND4J.
     *
     * @param expected evaluated before the operation, which may overwrite its inputs
     */
    private record Operation(
            String name, Runnable task, Tensor result, Supplier<double[]> expected) {}

    @FunctionalInterface
    private interface Entry {
        double at(int row, int column);
    }
}
