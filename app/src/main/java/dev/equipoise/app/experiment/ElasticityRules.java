package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the reasons why a run cannot lose ranks and continue without them. Synchronous ranks
 * suspend at a recovery point that all of them reached; ranks with weights of their own that need
 * no others for a step continue to the end of the epoch.
 */
final class ElasticityRules {

    private ElasticityRules() {}

    /** Returns phrases that follow "a run"; empty if the run can be elastic. */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>(ResumabilityRules.obstacles(configuration));
        ResumabilityRules.report(
                found,
                isForFewerReplicas(configuration.partitioning()),
                "whose partitioning is not equal, constant or functional: it has no shares for"
                        + " fewer replicas");
        ResumabilityRules.report(
                found,
                !configuration.followsLinks(),
                "that follows link measurements: these exist only for its initial ranks");
        noteMethod(found, configuration);
        return found;
    }

    private static boolean isForFewerReplicas(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Equal _, Partitioning.Constant _, Partitioning.Functional _ -> true;
            case Partitioning.Dynamic _, Partitioning.BatchCounts _, Partitioning.Hybrid _ -> false;
        };
    }

    private static void noteMethod(List<String> found, RunConfiguration configuration) {
        switch (configuration.topology()) {
            case Topology.AllReduce _ -> noteAllReduce(found, configuration);
            case Topology.ParameterServer served ->
                    noteServers(found, served, configuration.synchronization());
            case Gossip gossip -> noteGossip(found, gossip, configuration);
        }
    }

    private static void noteGossip(
            List<String> found, Gossip gossip, RunConfiguration configuration) {
        ResumabilityRules.report(
                found,
                !configuration.method().keepsCopiesOfNeighbors(),
                "that gossips compressed weights: each rank keeps a copy of its"
                        + " neighbors' weights, and the neighbors must not change");
        ResumabilityRules.report(
                found,
                gossip.globalAverageEvery() == 0,
                "with periodic global averages, which need every rank");
    }

    private static void noteServers(
            List<String> found, Topology.ParameterServer served, Synchronization synchronization) {
        switch (synchronization) {
            case Synchronization.Async _ -> {}
            case Synchronization.StaleSynchronous stale -> noteBarriers(found, served, stale);
            case Synchronization.Bsp _,
                    LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.AdPsgd _ ->
                    found.add(
                            "over parameter servers that is neither async nor stale-synchronous:"
                                    + " its servers wait for every replica in every round");
        }
    }

    private static void noteBarriers(
            List<String> found,
            Topology.ParameterServer served,
            Synchronization.StaleSynchronous stale) {
        ResumabilityRules.report(
                found,
                !stale.barrier() || served.servers() == 1,
                "with barriers at several servers, which learn of a loss at different times");
    }

    private static void noteAllReduce(List<String> found, RunConfiguration configuration) {
        ResumabilityRules.report(
                found,
                configuration.compression() instanceof Compression.None,
                "that is compressed: the residual of a lost rank would be lost");
        switch (configuration.synchronization()) {
            case Synchronization.Bsp _ -> {}
            case LocalSgd local -> noteLocalSgd(found, local, configuration);
            case Synchronization.DiLoCo _ ->
                    found.add(
                            "with diloco, whose outer optimizer has state that the surviving"
                                    + " ranks could not exchange");
            case Synchronization.Async _ ->
                    found.add(
                            "that is async over an all-reduce: its sums need every rank, and no"
                                    + " round ends with equal replicas");
            case Synchronization.StaleSynchronous _, Synchronization.AdPsgd _ -> {
                // CompatibilityRules rejects these over an all-reduce.
            }
        }
    }

    private static void noteLocalSgd(
            List<String> found, LocalSgd local, RunConfiguration configuration) {
        ResumabilityRules.report(
                found,
                local.order() == Order.STEP_THEN_AVERAGE,
                "that averages before the step: its replicas differ after every epoch");
        notePeriod(found, local.period(), configuration.rounds());
        ResumabilityRules.report(
                found,
                local.momentum() != Momentum.LOCAL
                        || !configuration.training().optimizer().remembers(),
                "whose optimizers have local state; momentum average or reset ends an epoch with"
                        + " equal states");
    }

    private static void notePeriod(List<String> found, int period, int rounds) {
        ResumabilityRules.report(
                found,
                rounds % period == 0,
                "whose period, %d, does not divide the %d rounds of an epoch: its replicas differ after it"
                        .formatted(period, rounds));
    }
}
