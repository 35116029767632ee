package dev.equipoise.performance.hybrid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * Cost model of an all-reduce of d numbers over p processes: {@code T(d; p) = ac L d + gc (p - 1) d
 * + bc L}, where L is p - 1 up to four processes and ceil(log2 p) beyond (docs/algorithms.md,
 * section 8).
 *
 * @param hop ac, seconds per number and level
 * @param process gc, seconds per number and process
 * @param level bc, seconds per level
 */
public record AllReduceModel(double hop, double process, double level) {

    private static final int LINEAR_UP_TO = 4;
    private static final int TERMS = 3;
    private static final List<Integer> SIZES = List.of(10, 100, 1_000, 10_000, 100_000);

    /** Two columns of length 1 count as linearly dependent below this difference. */
    private static final double SINGULAR = 1e-9;

    /** Measured seconds of an all-reduce of some numbers over some processes. */
    public record Timed(int processes, int numbers, double seconds) {

        public Timed {
            if (processes < 2 || numbers < 1 || !(seconds > 0)) {
                throw new IllegalArgumentException(
                        ("an all-reduce of %d numbers over %d processes in %s s is out of range:"
                                        + " at least 1 number, 2 processes, more than 0 s")
                                .formatted(numbers, processes, seconds));
            }
        }
    }

    /** Measures the seconds of an all-reduce. */
    @FunctionalInterface
    public interface Stopwatch {

        double seconds(int processes, int numbers);
    }

    /** Times the all-reduces of a calibration: 2 to 8 processes, 10 to 100,000 numbers. */
    public static List<Timed> timed(Stopwatch stopwatch) {
        return IntStream.rangeClosed(2, 2 * LINEAR_UP_TO)
                .boxed()
                .flatMap(processes ->
                        SIZES.stream()
                                .map(numbers ->
                                        new Timed(
                                                processes,
                                                numbers,
                                                stopwatch.seconds(processes, numbers))))
                .toList();
    }

    /** Returns the cost over a number of processes. */
    AllReduceCost over(int processes) {
        if (processes == 1) {
            return AllReduceCost.NONE;
        }
        double levels = levels(processes);
        return new AllReduceCost(hop * levels + process * (processes - 1), level * levels);
    }

    private static double levels(int processes) {
        return processes <= LINEAR_UP_TO
                ? processes - 1
                : Integer.SIZE - Integer.numberOfLeadingZeros(processes - 1);
    }

    /**
     * Fits the terms to measured all-reduces: least squares of the relative errors, no term
     * negative. Up to four processes the first two terms are linearly dependent; without
     * measurements beyond, the first term gets their sum.
     */
    public static AllReduceModel calibrated(List<Timed> timed) {
        RealMatrix all = relative(timed);
        RealVector ones = new ArrayRealVector(timed.size(), 1);
        double[] best = new double[TERMS];
        double smallest = Double.POSITIVE_INFINITY;
        // A non-negative optimum is the least-squares fit of its non-zero terms: try all subsets.
        for (int chosen = 1; chosen < 1 << TERMS; chosen++) {
            double[] terms = fit(all, ones, columns(chosen));
            double error = all.operate(new ArrayRealVector(terms)).getDistance(ones);
            if (isNonNegative(terms) && error < smallest) {
                best = terms;
                smallest = error;
            }
        }
        return new AllReduceModel(best[0], best[1], best[2]);
    }

    /** Contribution of each term to a measured time, relative to that time. */
    private static RealMatrix relative(List<Timed> timed) {
        RealMatrix rows = new Array2DRowRealMatrix(timed.size(), TERMS);
        for (int row = 0; row < timed.size(); row++) {
            Timed it = timed.get(row);
            double levels = levels(it.processes());
            rows.setRow(
                    row,
                    new double[] {
                        levels * it.numbers() / it.seconds(),
                        (it.processes() - 1.0) * it.numbers() / it.seconds(),
                        levels / it.seconds()
                    });
        }
        return rows;
    }

    private static List<Integer> columns(int chosen) {
        List<Integer> columns = new ArrayList<>();
        for (int term = 0; term < TERMS; term++) {
            if ((chosen & 1 << term) != 0) {
                columns.add(term);
            }
        }
        return columns;
    }

    /** Scales columns to length 1, since a number costs about a millionth of a level. */
    private static double[] fit(RealMatrix all, RealVector ones, List<Integer> columns) {
        RealMatrix some = new Array2DRowRealMatrix(all.getRowDimension(), columns.size());
        for (int i = 0; i < columns.size(); i++) {
            RealVector column = all.getColumnVector(columns.get(i));
            some.setColumnVector(i, column.mapDivide(column.getNorm()));
        }
        double[] terms = new double[TERMS];
        DecompositionSolver solver = new QRDecomposition(some, SINGULAR).getSolver();
        if (!solver.isNonSingular()) {
            terms[columns.getFirst()] = Double.NaN;
            return terms;
        }
        RealVector solution = solver.solve(ones);
        for (int i = 0; i < columns.size(); i++) {
            int term = columns.get(i);
            terms[term] = solution.getEntry(i) / all.getColumnVector(term).getNorm();
        }
        return terms;
    }

    private static boolean isNonNegative(double[] terms) {
        for (double term : terms) {
            if (!(term >= 0)) {
                return false;
            }
        }
        return true;
    }
}
