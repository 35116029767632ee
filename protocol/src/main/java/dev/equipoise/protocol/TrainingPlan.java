package dev.equipoise.protocol;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import java.util.List;

/**
 * All that the replicas of a run must agree on.
 *
 * @param dataset the data, and how many of its training samples are used
 * @param evaluateEvery how many epochs pass between two looks at the test set; the last epoch ends
 *     with one in any case
 * @param seed of the initial parameters and of the order of the data
 * @param shares samples an epoch of each rank; their sum is {@link #trainingSamples}
 * @param rounds rounds an epoch, the same on every rank
 * @param limits what the links are held back to
 * @param links what the links between all ranks cost, where the topology follows them; else none
 */
public record TrainingPlan(
        DatasetSpec dataset,
        Architecture network,
        Loss loss,
        OptimizerSpec optimizer,
        int epochs,
        int evaluateEvery,
        long seed,
        List<Integer> shares,
        int rounds,
        Synchronization synchronization,
        Topology topology,
        Compression compression,
        ChannelKind channel,
        List<LinkLimit> limits,
        List<MeasuredLink> links) {

    public TrainingPlan {
        Rules.present("dataset", dataset);
        Rules.present("network", network);
        Rules.present("loss", loss);
        Rules.present("optimizer", optimizer);
        Rules.atLeast("epochs", epochs, 1);
        Rules.atLeast("evaluateEvery", evaluateEvery, 1);
        Rules.atLeast("rounds", rounds, 1);
        Rules.notEmpty("shares", shares);
        Rules.present("limits", limits);
        Rules.present("links", links);
        shares = List.copyOf(shares);
        limits = List.copyOf(limits);
        links = List.copyOf(links);
        shares.forEach(share -> Rules.atLeast("share", share, 0));
        long sum = shares.stream().mapToLong(Integer::longValue).sum();
        if (sum != dataset.limit()) {
            throw new IllegalArgumentException(
                    "the shares must sum to %d, but are %s".formatted(dataset.limit(), shares));
        }
    }

    /** How many of the training samples, from the first, are used. */
    public int trainingSamples() {
        return dataset.limit();
    }
}
