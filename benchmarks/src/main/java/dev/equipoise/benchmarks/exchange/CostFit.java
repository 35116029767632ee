package dev.equipoise.benchmarks.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Cost formula with fitted costs: {@code alpha * steps + cost * bytes} seconds, by least squares of
 * the relative errors.
 *
 * @param formula its name
 * @param alpha seconds per step
 * @param cost seconds per byte, to move and to add it
 * @param relativeError root mean square over the rounds
 */
record CostFit(String formula, double alpha, double cost, double relativeError) {

    private static final double MICRO = 1e6;
    private static final double NANO = 1e9;
    private static final double PERCENT = 100;

    /**
     * Fits two formulas: one for ranks with their own network and core (docs/algorithms.md, section
     * 3), and one for ranks that share the cores of a machine, so that the work of all ranks adds
     * up.
     */
    static List<CostFit> of(Aggregation aggregation, List<AggregateFigure> figures, int cores) {
        List<AggregateFigure> some =
                figures.stream()
                        .filter(it -> it.aggregation().equals(aggregation.toString()))
                        .toList();
        return switch (aggregation) {
            case RING -> rings(some, cores);
            case SERVER -> List.of(fit("server, 2 alpha + (P-1) m cost", some, CostFit::server));
        };
    }

    private static List<CostFit> rings(List<AggregateFigure> figures, int cores) {
        return List.of(
                fit("ring, 2(P-1) alpha + (P-1)/P m cost", figures, CostFit::ring),
                fit(
                        "ring on %d cores, both times P/%d".formatted(cores, cores),
                        figures,
                        it -> ring(it).times(Math.max(1.0, (double) it.ranks() / cores))));
    }

    /** Number of steps and bytes of a round, the factors of the two costs. */
    record Terms(double steps, double bytes) {

        Terms times(double factor) {
            return new Terms(steps * factor, bytes * factor);
        }
    }

    private static Terms ring(AggregateFigure figure) {
        double others = figure.ranks() - 1;
        return new Terms(figure.messages() * 2 * others, others / figure.ranks() * figure.bytes());
    }

    private static Terms server(AggregateFigure figure) {
        return new Terms(figure.messages() * 2.0, (figure.ranks() - 1.0) * figure.bytes());
    }

    static CostFit fit(
            String formula, List<AggregateFigure> figures, Function<AggregateFigure, Terms> terms) {
        List<Terms> relative = new ArrayList<>();
        figures.forEach(it -> relative.add(terms.apply(it).times(1 / it.seconds())));
        double steps = sum(relative, it -> it.steps() * it.steps());
        double both = sum(relative, it -> it.steps() * it.bytes());
        double bytes = sum(relative, it -> it.bytes() * it.bytes());
        double stepsAlone = sum(relative, Terms::steps);
        double bytesAlone = sum(relative, Terms::bytes);
        double determinant = steps * bytes - both * both;
        double alpha = (stepsAlone * bytes - bytesAlone * both) / determinant;
        if (alpha < 0) {
            return of(formula, 0, bytesAlone / bytes, relative);
        }
        return of(formula, alpha, (bytesAlone - alpha * both) / bytes, relative);
    }

    private static CostFit of(String formula, double alpha, double cost, List<Terms> relative) {
        double squares =
                sum(relative, it -> Math.pow(alpha * it.steps() + cost * it.bytes() - 1, 2));
        return new CostFit(formula, alpha, cost, Math.sqrt(squares / relative.size()));
    }

    private static double sum(List<Terms> terms, ToDoubleFunction<Terms> value) {
        return terms.stream().mapToDouble(value).sum();
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%s: alpha %.1f us, cost %.3f ns a byte, relative error %.0f %%",
                formula,
                alpha * MICRO,
                cost * NANO,
                relativeError * PERCENT);
    }
}
