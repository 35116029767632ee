package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import java.util.ArrayList;
import java.util.List;

/**
 * What keeps a run from losing ranks, and going on without them. Where ranks are equal at rounds
 * that all know, those that are left stand still there. Where each has weights of its own and needs
 * none of the others for a step, they carry on to the end of the epoch.
 */
final class Elasticity {

    private Elasticity() {}

    /** In words that follow "a run"; none where it can. */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>();
        Resuming.noteInCommon(found, configuration);
        Resuming.note(
                found,
                !configuration.followsLinks(),
                "that follows what its links cost: these are known of the ranks that it has at"
                        + " first");
        noteMethod(found, configuration);
        return found;
    }

    private static void noteMethod(List<String> found, RunConfiguration configuration) {
        switch (configuration.topology()) {
            case Topology.AllReduce _ -> noteAllReduce(found, configuration);
            case Topology.ParameterServer served ->
                    noteServers(found, served, configuration.synchronization());
            case Gossip gossip -> {
                Resuming.note(
                        found,
                        !configuration.method().keepsCopiesOfNeighbours(),
                        "that gossips weights in a codec: each rank keeps a copy of what its"
                                + " neighbours have told, which must stay the same");
                Resuming.note(
                        found,
                        gossip.globalAverageEvery() == 0,
                        "that takes a mean of all weights every so many exchanges, which wants"
                                + " every rank");
            }
        }
    }

    private static void noteServers(
            List<String> found, Topology.ParameterServer served, Synchronization synchronization) {
        switch (synchronization) {
            case Synchronization.Async _ -> {}
            case Synchronization.StaleSynchronous stale ->
                    Resuming.note(
                            found,
                            !stale.barrier() || served.servers() == 1,
                            "whose replicas meet at barriers of several servers, which hear of a"
                                    + " loss at different moments");
            case Synchronization.Bsp _,
                    LocalSgd _,
                    Synchronization.DiLoCo _,
                    Synchronization.AdPsgd _ ->
                    found.add(
                            "over parameter servers that is neither async nor stale-synchronous:"
                                    + " its servers wait for every replica in every round");
        }
    }

    private static void noteAllReduce(List<String> found, RunConfiguration configuration) {
        Resuming.note(
                found,
                configuration.compression() instanceof Compression.None,
                "that is compressed: what the codec of a rank has left out goes with it");
        switch (configuration.synchronization()) {
            case Synchronization.Bsp _ -> {}
            case LocalSgd local -> noteLocalSgd(found, local, configuration);
            case Synchronization.DiLoCo _ ->
                    found.add(
                            "whose synchronization is diloco: it remembers more than the ranks that"
                                    + " are left could tell one another");
            case Synchronization.Async _ ->
                    found.add(
                            "that is async over an all-reduce: its sums want every rank, and there"
                                    + " is no round after which all are known to be equal");
            case Synchronization.StaleSynchronous _, Synchronization.AdPsgd _ -> {
                // which no all-reduce can do, as their own checks say
            }
        }
    }

    private static void noteLocalSgd(
            List<String> found, LocalSgd local, RunConfiguration configuration) {
        Resuming.note(
                found,
                local.order() == Order.STEP_THEN_AVERAGE,
                "that averages before it steps: its replicas differ after every epoch");
        int rounds = configuration.rounds();
        Resuming.note(
                found,
                rounds % local.period() == 0,
                "whose period, %d, does not divide the %d rounds of an epoch: its replicas differ after it"
                        .formatted(local.period(), rounds));
        Resuming.note(
                found,
                local.momentum() != Momentum.LOCAL
                        || !configuration.training().optimizer().remembers(),
                "whose optimizers remember something of their own; momentum average or reset ends"
                        + " an epoch with the same");
    }
}
