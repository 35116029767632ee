package dev.equipoise.agent.instrument;

import java.util.List;

/**
 * One exchange of a rank, on the rank's clock.
 *
 * @param partners ranks whose part the exchange needs; empty for all
 * @param ready time at which this rank was ready, in nanoseconds
 * @param over time at which the exchange ended for this rank, in nanoseconds
 */
record ExchangeInterval(List<Integer> partners, long ready, long over) {}
