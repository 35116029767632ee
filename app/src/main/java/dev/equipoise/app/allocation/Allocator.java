package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Computes the rank allocations of a run: worker, share and memory bound of each rank. Pure.
 *
 * @param speeds the workers and speeds of the ranks
 * @param repeated the shares of all ranks, if the run replays an earlier one
 */
public record Allocator(RankSpeeds speeds, Optional<List<Integer>> repeated) {

    /** Creates an allocator of a run that computes its shares. */
    public Allocator(RankSpeeds speeds) {
        this(speeds, Optional.empty());
    }

    RunConfiguration configuration() {
        return speeds.configuration();
    }

    /** One worker for each rank, or one for all. */
    public List<LabWorker> chosen() {
        return speeds.chosen();
    }

    /** The rank allocations in rank order; parameter servers have the share 0. */
    public List<RankAllocation> allocations() {
        List<Integer> shares = repeated.orElseGet(this::shares);
        List<Integer> bounds = MemoryEstimate.bounds(configuration(), chosen());
        int servers = configuration().topology().servers();
        return IntStream.range(0, speeds.places().size())
                .mapToObj(rank ->
                        new RankAllocation(
                                speeds.worker(rank).id(),
                                speeds.worker(rank).name(),
                                shares.get(rank),
                                rank < servers
                                        ? 0
                                        : Math.max(
                                                bounds.get(rank - servers),
                                                Math.ceilDiv(
                                                        shares.get(rank),
                                                        configuration().rounds())),
                                speeds.of(rank)
                                        .map(speed -> stepSeconds(speed, shares.get(rank), rank))
                                        .orElse(null),
                                speeds.worker(rank).host().arithmetic(),
                                speeds.worker(rank).host().backend()))
                .toList();
    }

    private double stepSeconds(SpeedFunction speed, int share, int rank) {
        int count = configuration().count(speeds.places().get(rank));
        return count * speed.seconds(share / (double) configuration().rounds() / count);
    }

    private List<Integer> shares() {
        int servers = configuration().topology().servers();
        List<Integer> ofReplicas = sharesOfReplicas(servers);
        return IntStream.range(0, speeds.places().size())
                .mapToObj(rank -> rank < servers ? 0 : ofReplicas.get(rank - servers))
                .toList();
    }

    private List<Integer> sharesOfReplicas(int servers) {
        int samples = configuration().dataset().limit();
        return switch (configuration().partitioning()) {
            case Partitioning.Equal _, Partitioning.Dynamic _ ->
                    Partitioner.equal(samples, speeds.places().size() - servers);
            case Partitioning.Constant(var relative) ->
                    Partitioner.inProportion(
                            samples,
                            speeds.places().stream()
                                    .skip(servers)
                                    .mapToDouble(place -> relative.get(place - servers))
                                    .toArray());
            case Partitioning.BatchCounts(var counts) -> Partitioner.inProportion(samples, counts);
            case Partitioning.Hybrid _ ->
                    throw new IllegalStateException(
                            "HybridAllocator computes the shares of groups");
            case Partitioning.Functional functional -> {
                List<Integer> shares = functionalShares(functional, servers);
                yield weighsByShares() ? Partitioner.withoutZeros(shares) : shares;
            }
        };
    }

    private List<Integer> functionalShares(Partitioning.Functional functional, int servers) {
        return Partitioner.functional(
                MemoryEstimate.work(configuration(), chosen()),
                IntStream.range(servers, speeds.places().size())
                        .mapToObj(rank -> speeds.forShare(rank).orElseThrow())
                        .toList(),
                functional.solver(),
                functional.rounding());
    }

    /** Metropolis weights are the shares, so that each must be positive. */
    private boolean weighsByShares() {
        return configuration().topology() instanceof Topology.Gossip gossip
                && gossip.mixing() == Topology.Mixing.METROPOLIS;
    }

    /** The measured speed that a virtual run without own speeds uses; empty for other runs. */
    public List<Execution.Speed> measuredSpeeds() {
        return configuration().execution() instanceof Execution.Virtual virtual
                        && virtual.speeds().isEmpty()
                ? List.of(asSpecified(speeds.of(speeds.worker(0)).orElseThrow()))
                : List.of();
    }

    private static Execution.Speed asSpecified(SpeedFunction speed) {
        return new Execution.Speed(
                speed.points().stream()
                        .map(point -> new Execution.Point((int) point.size(), point.seconds()))
                        .toList());
    }
}
