package dev.equipoise.benchmarks.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class CostFitTest {

    private static final double ALPHA = 50e-6;
    private static final double COST = 1.5e-9;

    @Test
    void recoversTheCostsOfAFormula() {
        List<AggregateFigure> rings =
                figures(
                        "ring",
                        it ->
                                it.messages() * 2 * (it.ranks() - 1) * ALPHA
                                        + (it.ranks() - 1.0) / it.ranks() * it.bytes() * COST);
        List<AggregateFigure> servers =
                figures(
                        "server",
                        it -> it.messages() * 2 * ALPHA + (it.ranks() - 1) * it.bytes() * COST);
        List<AggregateFigure> all = new ArrayList<>(rings);
        all.addAll(servers);

        assertFits(CostFit.of(Aggregation.RING, all, 64).getFirst());
        assertFits(CostFit.of(Aggregation.RING, all, 64).getLast());
        assertFits(CostFit.of(Aggregation.SERVER, all, 64).getFirst());
    }

    @Test
    void fitsRanksThatShareCores() {
        List<AggregateFigure> rings =
                figures(
                        "ring",
                        it ->
                                it.ranks()
                                        / 2.0
                                        * (it.messages() * 2 * (it.ranks() - 1) * ALPHA
                                                + (it.ranks() - 1.0)
                                                        / it.ranks()
                                                        * it.bytes()
                                                        * COST));

        assertFits(CostFit.of(Aggregation.RING, rings, 2).getLast());
        assertThat(CostFit.of(Aggregation.RING, rings, 2).getFirst().relativeError())
                .isGreaterThan(0.1);
    }

    /** A negative latency is replaced by zero. */
    @Test
    void fitsNoNegativeCost() {
        List<AggregateFigure> rings =
                figures(
                        "ring",
                        it ->
                                (it.ranks() - 1.0) / it.ranks() * it.bytes() * COST
                                        - 1e-6 * it.messages());

        CostFit fit = CostFit.of(Aggregation.RING, rings, 64).getFirst();

        assertThat(fit.alpha()).isZero();
        assertThat(fit.cost()).isCloseTo(COST, within(0.1 * COST));
    }

    private static void assertFits(CostFit fit) {
        assertThat(fit.alpha()).isCloseTo(ALPHA, within(1e-9));
        assertThat(fit.cost()).isCloseTo(COST, within(1e-14));
        assertThat(fit.relativeError()).isLessThan(1e-9);
    }

    private static List<AggregateFigure> figures(
            String aggregation, ToDoubleFunction<AggregateFigure> seconds) {
        List<AggregateFigure> figures = new ArrayList<>();
        for (int ranks : new int[] {2, 3, 4, 8}) {
            for (int messages : new int[] {1, 50}) {
                for (long bytes : new long[] {25_000_000, 100_000_000, 250_000_000}) {
                    var timeless =
                            new AggregateFigure(
                                    "net", aggregation, messages > 1, messages, ranks, bytes, 0);
                    figures.add(
                            new AggregateFigure(
                                    "net",
                                    aggregation,
                                    messages > 1,
                                    messages,
                                    ranks,
                                    bytes,
                                    seconds.applyAsDouble(timeless)));
                }
            }
        }
        return figures;
    }
}
