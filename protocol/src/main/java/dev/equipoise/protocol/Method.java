package dev.equipoise.protocol;

/**
 * A way of training in parallel: when replicas agree, over which links, and how what they tell is
 * coded.
 */
public record Method(Synchronization synchronization, Topology topology, Compression compression) {

    public Method {
        Rules.present("synchronization", synchronization);
        Rules.present("topology", topology);
        Rules.present("compression", compression);
    }

    /**
     * Whether ranks that lose others carry on without them, each with weights of its own, until the
     * epoch ends: where they agree with neighbours, or at servers as they come. Neighbours that
     * keep a copy of each other must stay the same, and a sum needs all, as does a barrier of which
     * several servers hear at different moments.
     */
    public boolean carriesOn() {
        return switch (topology) {
            case Topology.Gossip gossip ->
                    gossip.globalAverageEvery() == 0 && !keepsCopiesOfNeighbours();
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

    /** Whether each rank has a copy of what its neighbours have told of theirs (Choco). */
    public boolean keepsCopiesOfNeighbours() {
        return topology instanceof Topology.Gossip gossip
                && gossip.payload() == Topology.Payload.WEIGHTS
                && !(compression instanceof Compression.None);
    }

    /**
     * Whether ranks that lose others stand still where all had the same weights and remembered the
     * same, which they know after a round.
     */
    public boolean standsStill() {
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
     * Whether all replicas have the same weights after an epoch.
     *
     * @param rounds of an epoch
     */
    public boolean endsEpochsWithEqualReplicas(int rounds) {
        return !(topology instanceof Topology.Gossip)
                && switch (synchronization) {
                    case Synchronization.Bsp _,
                            Synchronization.Async _,
                            Synchronization.StaleSynchronous _ ->
                            true;
                    case Synchronization.LocalSgd local -> isAveragedLast(local, rounds);
                    case Synchronization.DiLoCo outer -> rounds % outer.period() == 0;
                    case Synchronization.AdPsgd _ -> false;
                };
    }

    private static boolean isAveragedLast(Synchronization.LocalSgd local, int rounds) {
        return local.order() == Synchronization.Order.STEP_THEN_AVERAGE
                && rounds % local.period() == 0;
    }

    /**
     * Whether all ranks remember the same after an epoch, but for what their codecs have left out.
     *
     * @param rounds of an epoch
     * @param optimizer of each rank
     */
    public boolean remembersAlike(int rounds, OptimizerSpec optimizer) {
        return topology instanceof Topology.AllReduce
                && switch (synchronization) {
                    case Synchronization.Bsp _, Synchronization.Async _ -> true;
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
