package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.Topology;

/** Checks what an order of ranks by measured links requires of the other choices. */
final class LinkOrderChecks {

    private static final String ORDER = "topology/order";

    private LinkOrderChecks() {}

    static void check(ValidationContext context) {
        RunConfiguration configuration = context.configuration();
        if (!configuration.topology().followsLinks()) {
            return;
        }
        context.require(
                !(configuration.topology() instanceof Topology.AllReduce(var algorithm, var _))
                        || algorithm == Topology.Algorithm.RING,
                ORDER,
                "must be by-rank unless the algorithm is ring: only a ring depends on the order");
        context.require(
                configuration.workers().replicas() <= LinkProfiling.MAX_WORKERS,
                ORDER,
                "must be by-rank for more than %d replicas, since every link between them is measured"
                        .formatted(LinkProfiling.MAX_WORKERS));
        context.require(
                configuration.heterogeneity().links().stream().allMatch(it -> it.between() == null),
                ORDER,
                "must be by-rank if /heterogeneity/links names ranks: the order is computed for the"
                        + " real links");
    }
}
