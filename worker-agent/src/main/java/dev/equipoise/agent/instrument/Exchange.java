package dev.equipoise.agent.instrument;

import java.util.List;

/**
 * One exchange of a rank with others, on the rank's clock.
 *
 * @param partners without whom it cannot end; empty for all
 * @param ready when this rank was, in nanoseconds
 * @param over when it was over for this rank, in nanoseconds
 */
record Exchange(List<Integer> partners, long ready, long over) {}
