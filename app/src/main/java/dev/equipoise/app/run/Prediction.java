package dev.equipoise.app.run;

import java.util.Collection;

/**
 * How long an epoch should take, in seconds.
 *
 * @param computeSeconds of the slowest rank
 * @param exchangeSeconds of all rounds' exchanges
 * @param epochSeconds the two together
 */
public record Prediction(double computeSeconds, double exchangeSeconds, double epochSeconds) {

    /**
     * Bulk-synchronous: every round lasts as long as its slowest step and one all-reduce
     * (ALGORITHMS section 9.2 without overlap).
     *
     * @param stepSeconds predicted training steps of the ranks
     * @param allReduceSeconds one all-reduce of the gradient, measured over the run's own channel
     */
    static Prediction bsp(int rounds, Collection<Double> stepSeconds, double allReduceSeconds) {
        double slowest = stepSeconds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double compute = rounds * slowest;
        double exchange = rounds * allReduceSeconds;
        return new Prediction(compute, exchange, compute + exchange);
    }
}
