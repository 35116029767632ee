package dev.equipoise.app.plan;

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

/** What the links between the ranks of a run cost, held back as its definition wants. */
final class LinkCosts implements Links {

    /** Between workers of which no link was measured: one of a machine, or of a fast network. */
    static final Execution.Link ASSUMED = new Execution.Link(50, 1000);

    /** Between imagined workers of one machine: shared memory (docs/benchmarks.md). */
    static final Cost WITHIN_A_MACHINE = new Cost(10e-6, 0.25e-9);

    /** A ring over Hazelcast against one over sockets, 16 MB over 2 and 4 ranks. */
    private static final double OF_HAZELCAST = 3.5;

    private static final double MICRO = 1e-6;
    private static final double MEGA = 1e6;
    private static final double MILLI = 1e-3;

    /** From where the costs are known, the best first. */
    enum Basis {
        /** The definition, or who asks, says it. */
        TOLD,
        /** All links were measured. */
        MEASURED,
        /** A sum over all ranks was timed when the run began. */
        REHEARSED,
        /** Some were measured; the others are taken to be like the slowest of them. */
        PARTLY_MEASURED,
        /** None was measured, and {@link #ASSUMED} stands for them. */
        ASSUMED
    }

    /** Alpha in seconds and beta in seconds a byte. */
    record Cost(double latency, double secondsPerByte) {

        static Cost of(Execution.Link link) {
            return new Cost(
                    link.latencyMicroseconds() * MICRO, 1 / (link.megabytesPerSecond() * MEGA));
        }
    }

    private final Basis basis;
    private final Cost usual;
    private final Map<Long, Cost> single;
    private final double relativeError;
    private final Map<Long, LinkLimit> limits;
    private final Optional<LinkLimit> usualLimit;
    private final double ofChannel;
    private final double rehearsed;

    private LinkCosts(
            Basis basis,
            Cost usual,
            Map<Long, Cost> single,
            double relativeError,
            Map<Long, LinkLimit> limits,
            Optional<LinkLimit> usualLimit,
            double ofChannel,
            double rehearsed) {
        this.basis = basis;
        this.usual = usual;
        this.single = Map.copyOf(single);
        this.relativeError = relativeError;
        this.limits = Map.copyOf(limits);
        this.usualLimit = usualLimit;
        this.ofChannel = ofChannel;
        this.rehearsed = rehearsed;
    }

    /** All alike, as told. */
    static LinkCosts told(Execution.Link link) {
        return new LinkCosts(
                Basis.TOLD, Cost.of(link), Map.of(), 0, Map.of(), Optional.empty(), 1, 1);
    }

    /**
     * As told, but for some.
     *
     * @param within pairs of ranks that have one machine
     */
    static LinkCosts told(Execution.Link link, Collection<List<Integer>> within) {
        Map<Long, Cost> single = new HashMap<>();
        within.forEach(pair -> single.put(key(pair.getFirst(), pair.getLast()), WITHIN_A_MACHINE));
        return new LinkCosts(
                Basis.TOLD, Cost.of(link), single, 0, Map.of(), Optional.empty(), 1, 1);
    }

    /** As measured; those that were not are like the slowest of the others, or assumed. */
    static LinkCosts measured(int ranks, List<MeasuredLink> links) {
        Map<Long, Cost> single = new HashMap<>();
        links.forEach(it ->
                single.put(
                        key(it.low(), it.high()),
                        new Cost(it.alphaSeconds(), it.betaSecondsPerByte())));
        Cost usual =
                links.isEmpty()
                        ? Cost.of(ASSUMED)
                        : new Cost(
                                links.stream()
                                        .mapToDouble(MeasuredLink::alphaSeconds)
                                        .max()
                                        .orElseThrow(),
                                links.stream()
                                        .mapToDouble(MeasuredLink::betaSecondsPerByte)
                                        .max()
                                        .orElseThrow());
        return new LinkCosts(
                basis(single.size(), ranks * (ranks - 1) / 2),
                usual,
                single,
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

    /** The same, held back. */
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
        return new LinkCosts(basis, usual, single, relativeError, named, all, ofChannel, rehearsed);
    }

    /**
     * The same, all of it dearer by a factor, which a rehearsed exchange has told: also what holds
     * links back, as an algorithm may use several of these at once, and the model does not know.
     */
    LinkCosts rehearsed(double factor) {
        return new LinkCosts(
                Basis.REHEARSED, usual, single, 0, limits, usualLimit, ofChannel, factor);
    }

    /** The same over a channel; measured are direct ones. */
    LinkCosts over(ChannelKind channel) {
        return switch (channel) {
            case DIRECT -> this;
            case HAZELCAST ->
                    new LinkCosts(
                            basis,
                            usual,
                            single,
                            relativeError,
                            limits,
                            usualLimit,
                            OF_HAZELCAST,
                            rehearsed);
        };
    }

    /** What the slowest link between so many ranks costs, in latency and in bandwidth. */
    Cost slowest(int ranks) {
        double latency = 0;
        double secondsPerByte = 0;
        for (int high = 1; high < ranks; high++) {
            for (int low = 0; low < high; low++) {
                latency = Math.max(latency, latency(low, high));
                secondsPerByte = Math.max(secondsPerByte, secondsPerByte(low, high));
            }
        }
        return new Cost(latency, secondsPerByte);
    }

    Basis basis() {
        return basis;
    }

    /** Of the measured costs, on the mean. */
    double relativeError() {
        return relativeError;
    }

    private static long key(int rank, int peer) {
        return ((long) Math.min(rank, peer) << Integer.SIZE) | Math.max(rank, peer);
    }

    private Cost cost(int from, int to) {
        return single.getOrDefault(key(from, to), usual);
    }

    private Optional<LinkLimit> limit(int from, int to) {
        return Optional.ofNullable(limits.get(key(from, to))).or(() -> usualLimit);
    }

    @Override
    public double latency(int from, int to) {
        double delay = limit(from, to).map(LinkLimit::delayMilliseconds).orElse(0.0) * MILLI;
        return rehearsed * (ofChannel * cost(from, to).latency() + delay);
    }

    @Override
    public double secondsPerByte(int from, int to) {
        return rehearsed * unheld(from, to);
    }

    @Override
    public double heldSecondsPerByte(int from, int to) {
        double capped =
                limit(from, to)
                        .flatMap(it -> Optional.ofNullable(it.megabytesPerSecond()))
                        .map(bandwidth -> 1 / (bandwidth * MEGA))
                        .orElse(0.0);
        return rehearsed * Math.max(0, capped - unheld(from, to));
    }

    private double unheld(int from, int to) {
        return ofChannel * cost(from, to).secondsPerByte();
    }
}
