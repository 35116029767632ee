package dev.equipoise.agent.synchronization;

/**
 * Weight of this replica in the mean of all replicas that a method keeps, and the stretch of its
 * steps that makes this mean move by the mean gradient over all samples of a round
 * (docs/algorithms.md, sections 1.3 and 2.3).
 */
interface ReplicaWeight {

    /**
     * Returns the factor of this replica's step in a round; 0 if it has no samples but others have,
     * except where gradients are sums.
     *
     * @param round counted from 0 over all epochs
     */
    double stretch(long round);

    /**
     * Returns the weight of this replica in the mean of all, of 1 in total.
     *
     * @param from first round since the last mean, counted from 0 over all epochs
     * @param to round behind the last one
     */
    double inMean(long from, long to);

    /**
     * Tells whether no replica has samples in a round, which is then no step.
     *
     * @param round counted from 0 over all epochs
     */
    boolean isEmpty(long round);
}
