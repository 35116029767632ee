package dev.equipoise.protocol;

/**
 * Distance of a replica from that of another rank, though the method keeps replicas equal
 * (docs/methods.md, equal replicas).
 *
 * @param from the other rank
 * @param absolute Euclidean distance of the weights
 * @param relative the absolute distance over the norm of the other rank's weights; 0 if that norm
 *     is 0
 */
public record ReplicaDistance(int from, double absolute, double relative) {

    public ReplicaDistance {
        Rules.atLeast("from", from, 0);
        Rules.atLeast("absolute", absolute, 0.0);
        Rules.atLeast("relative", relative, 0.0);
    }
}
