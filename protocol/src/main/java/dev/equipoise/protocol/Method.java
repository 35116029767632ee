package dev.equipoise.protocol;

/**
 * Synchronization method: when replicas synchronize, over which topology, and with which codec.
 *
 * @param synchronization rule by which replicas synchronize
 * @param topology topology of their communication
 * @param compression codec of what they send
 */
public record Method(Synchronization synchronization, Topology topology, Compression compression) {

    public Method {
        Rules.present("synchronization", synchronization);
        Rules.present("topology", topology);
        Rules.present("compression", compression);
    }

    /**
     * Returns whether ranks that lose others continue without them until the epoch ends, each with
     * its own weights: in gossip, or at servers that apply gradients on arrival. Excluded are
     * neighbors that keep copies of each other, which must stay the same; an all-reduce, which
     * needs all ranks; and a barrier at several servers, which would hear of the loss at different
     * times.
     */
    public boolean toleratesLosses() {
        return switch (topology) {
            case Topology.Gossip gossip ->
                    gossip.globalAverageEvery() == 0 && !keepsCopiesOfNeighbors();
            case Topology.ParameterServer served ->
                    switch (synchronization) {
                        case Synchronization.Async _ -> true;
                        case Synchronization.StaleSynchronous stale ->
                                !stale.barrier() || served.servers() == 1;
                        case Synchronization.Bsp _,
                                Synchronization.LocalSgd _,
                                Synchronization.DiLoCo _,
                                Synchronization.AdPsgd _ ->
                                false;
                    };
            case Topology.AllReduce _ -> false;
        };
    }

    /** Returns whether each rank keeps a copy of its neighbors' weights (CHOCO-SGD). */
    public boolean keepsCopiesOfNeighbors() {
        return topology instanceof Topology.Gossip gossip
                && gossip.payload() == Topology.Payload.WEIGHTS
                && !(compression instanceof Compression.None);
    }

    /**
     * Returns whether ranks that lose others can suspend at a recovery point within an epoch, where
     * all have the same weights and optimizer state. They know this after a round.
     */
    public boolean canSuspend() {
        return topology instanceof Topology.AllReduce
                && compression instanceof Compression.None
                && switch (synchronization) {
                    case Synchronization.Bsp _ -> true;
                    case Synchronization.LocalSgd local ->
                            local.order() == Synchronization.Order.STEP_THEN_AVERAGE;
                    case Synchronization.Async _,
                            Synchronization.StaleSynchronous _,
                            Synchronization.AdPsgd _,
                            Synchronization.DiLoCo _ ->
                            false;
                };
    }

    /**
     * Returns whether all replicas have the same weights after an epoch, to the bit if their
     * processors compute alike (docs/methods.md, equal replicas).
     *
     * @param rounds of an epoch
     */
    public boolean endsEpochsWithEqualReplicas(int rounds) {
        return !(topology instanceof Topology.Gossip)
                && switch (synchronization) {
                    case Synchronization.Bsp _, Synchronization.StaleSynchronous _ -> true;
                    case Synchronization.Async async -> !async.isOwnAtOnce();
                    case Synchronization.LocalSgd local -> isAveragedLast(local, rounds);
                    case Synchronization.DiLoCo outer -> rounds % outer.period() == 0;
                    case Synchronization.AdPsgd _ -> false;
                };
    }

    /**
     * Returns the number of servers, the first ranks, that only sum and hold no weights of the
     * model.
     */
    public int ranksWithoutWeights() {
        return switch (synchronization) {
            case Synchronization.Async _, Synchronization.StaleSynchronous _ -> 0;
            case Synchronization.Bsp _,
                    Synchronization.LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.AdPsgd _ ->
                    topology.servers();
        };
    }

    private static boolean isAveragedLast(Synchronization.LocalSgd local, int rounds) {
        return local.order() == Synchronization.Order.STEP_THEN_AVERAGE
                && rounds % local.period() == 0;
    }

    /**
     * Returns whether all ranks have the same optimizer state after an epoch. Residuals of codecs
     * may differ.
     *
     * @param rounds of an epoch
     * @param optimizer of each rank
     */
    public boolean replicatesState(int rounds, OptimizerSpec optimizer) {
        return topology instanceof Topology.AllReduce
                && switch (synchronization) {
                    case Synchronization.Bsp _ -> true;
                    case Synchronization.Async async -> !async.isOwnAtOnce();
                    case Synchronization.LocalSgd local ->
                            isAveragedLast(local, rounds)
                                    && (local.momentum() != Synchronization.Momentum.LOCAL
                                            || !optimizer.remembers());
                    case Synchronization.StaleSynchronous _,
                            Synchronization.AdPsgd _,
                            Synchronization.DiLoCo _ ->
                            false;
                };
    }
}
