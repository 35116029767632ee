package dev.equipoise.app.plan;

import dev.equipoise.app.allocation.LinkCost;
import dev.equipoise.performance.simulation.Links;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.MeasuredLink;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Hockney costs of the links between the ranks of a run, with the link shaping of its
 * definition.
 */
final class LinkCosts implements Links {

    /** Assumed cost of an unmeasured link: inside a host or over a fast network. */
    static final Execution.Link ASSUMED = new Execution.Link(50, 1000);

    /** Cost of a link between imagined workers of one host: shared memory (docs/benchmarks.md). */
    static final LinkCost WITHIN_HOST = new LinkCost(10e-6, 0.25e-9);

    /** Time of a ring over Hazelcast relative to sockets; 16 MB over 2 and 4 ranks. */
    private static final double HAZELCAST_FACTOR = 3.5;

    private static final double MEGA = 1e6;
    private static final double MILLI = 1e-3;

    /** The source of the costs, the most reliable first. */
    enum Basis {
        /** A definition or plan request specifies them. */
        SPECIFIED,
        /** All links were measured. */
        MEASURED,
        /** All-reduce calibration: an all-reduce over all ranks was timed before training. */
        CALIBRATED,
        /** Some were measured; the others are assumed to be like the slowest of them. */
        PARTLY_MEASURED,
        /** None was measured, and {@link #ASSUMED} stands for them. */
        ASSUMED
    }

    private final Basis basis;
    private final LinkCost defaultCost;
    private final Map<Long, LinkCost> costs;
    private final double relativeError;
    private final Map<Long, LinkLimit> limits;
    private final Optional<LinkLimit> defaultLimit;
    private final double channelFactor;
    private final double calibration;

    private LinkCosts(
            Basis basis,
            LinkCost defaultCost,
            Map<Long, LinkCost> costs,
            double relativeError,
            Map<Long, LinkLimit> limits,
            Optional<LinkLimit> defaultLimit,
            double channelFactor,
            double calibration) {
        this.basis = basis;
        this.defaultCost = defaultCost;
        this.costs = Map.copyOf(costs);
        this.relativeError = relativeError;
        this.limits = Map.copyOf(limits);
        this.defaultLimit = defaultLimit;
        this.channelFactor = channelFactor;
        this.calibration = calibration;
    }

    /** Equal links with a specified cost. */
    static LinkCosts specified(Execution.Link link) {
        return new LinkCosts(
                Basis.SPECIFIED, LinkCost.of(link), Map.of(), 0, Map.of(), Optional.empty(), 1, 1);
    }

    /**
     * Links with a specified cost, and shared memory inside hosts.
     *
     * @param within pairs of ranks on one host
     */
    static LinkCosts specified(Execution.Link link, Collection<List<Integer>> within) {
        Map<Long, LinkCost> costs = new HashMap<>();
        within.forEach(pair -> costs.put(key(pair.getFirst(), pair.getLast()), WITHIN_HOST));
        return new LinkCosts(
                Basis.SPECIFIED, LinkCost.of(link), costs, 0, Map.of(), Optional.empty(), 1, 1);
    }

    /** Measured links; the others cost as much as the slowest of them, or the assumed cost. */
    static LinkCosts measured(int ranks, List<MeasuredLink> links) {
        Map<Long, LinkCost> costs = new HashMap<>();
        links.forEach(it ->
                costs.put(
                        key(it.low(), it.high()),
                        new LinkCost(it.alphaSeconds(), it.betaSecondsPerByte())));
        LinkCost defaultCost =
                links.isEmpty()
                        ? LinkCost.of(ASSUMED)
                        : new LinkCost(
                                links.stream()
                                        .mapToDouble(MeasuredLink::alphaSeconds)
                                        .max()
                                        .orElseThrow(),
                                links.stream()
                                        .mapToDouble(MeasuredLink::betaSecondsPerByte)
                                        .max()
                                        .orElseThrow());
        return new LinkCosts(
                basis(costs.size(), ranks * (ranks - 1) / 2),
                defaultCost,
                costs,
                links.stream().mapToDouble(MeasuredLink::relativeError).average().orElse(0),
                Map.of(),
                Optional.empty(),
                1,
                1);
    }

    private static Basis basis(int measured, int links) {
        if (measured == links) {
            return Basis.MEASURED;
        }
        return measured == 0 ? Basis.ASSUMED : Basis.PARTLY_MEASURED;
    }

    /** The costs with link shaping. */
    LinkCosts limited(List<LinkLimit> wanted) {
        Map<Long, LinkLimit> named = new HashMap<>();
        Optional<LinkLimit> all = Optional.empty();
        for (LinkLimit limit : wanted) {
            List<Integer> between = limit.between();
            if (between == null) {
                all = all.or(() -> Optional.of(limit));
            } else {
                named.putIfAbsent(key(between.getFirst(), between.getLast()), limit);
            }
        }
        return new LinkCosts(
                basis, defaultCost, costs, relativeError, named, all, channelFactor, calibration);
    }

    /**
     * Scales all costs to a timed all-reduce. The factor also applies to shaped links, as an
     * algorithm may use several of them at once, which the model does not know.
     */
    LinkCosts calibrated(double factor) {
        return new LinkCosts(
                Basis.CALIBRATED,
                defaultCost,
                costs,
                0,
                limits,
                defaultLimit,
                channelFactor,
                factor);
    }

    /** The costs over a channel; measurements use the direct channel. */
    LinkCosts over(ChannelKind channel) {
        return switch (channel) {
            case DIRECT -> this;
            case HAZELCAST ->
                    new LinkCosts(
                            basis,
                            defaultCost,
                            costs,
                            relativeError,
                            limits,
                            defaultLimit,
                            HAZELCAST_FACTOR,
                            calibration);
        };
    }

    /** The largest latency and the largest seconds a byte of all links between the first ranks. */
    LinkCost slowest(int ranks) {
        double latency = 0;
        double secondsPerByte = 0;
        for (int high = 1; high < ranks; high++) {
            for (int low = 0; low < high; low++) {
                latency = Math.max(latency, latency(low, high));
                secondsPerByte = Math.max(secondsPerByte, secondsPerByte(low, high));
            }
        }
        return new LinkCost(latency, secondsPerByte);
    }

    Basis basis() {
        return basis;
    }

    /** Mean relative error of the measured costs. */
    double relativeError() {
        return relativeError;
    }

    private static long key(int rank, int peer) {
        return ((long) Math.min(rank, peer) << Integer.SIZE) | Math.max(rank, peer);
    }

    private LinkCost cost(int from, int to) {
        return costs.getOrDefault(key(from, to), defaultCost);
    }

    private Optional<LinkLimit> limit(int from, int to) {
        return Optional.ofNullable(limits.get(key(from, to))).or(() -> defaultLimit);
    }

    @Override
    public double latency(int from, int to) {
        double delay = limit(from, to).map(LinkLimit::delayMilliseconds).orElse(0.0) * MILLI;
        return calibration * (channelFactor * cost(from, to).latency() + delay);
    }

    @Override
    public double secondsPerByte(int from, int to) {
        return calibration * unlimited(from, to);
    }

    @Override
    public double heldSecondsPerByte(int from, int to) {
        double capped =
                limit(from, to)
                        .flatMap(it -> Optional.ofNullable(it.megabytesPerSecond()))
                        .map(bandwidth -> 1 / (bandwidth * MEGA))
                        .orElse(0.0);
        return calibration * Math.max(0, capped - unlimited(from, to));
    }

    private double unlimited(int from, int to) {
        return channelFactor * cost(from, to).secondsPerByte();
    }
}
