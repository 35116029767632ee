package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A configuration with who would run it.
 *
 * @param hands one for each rank, or one for all where they are on one worker
 */
record Crew(RunConfiguration configuration, List<Hand> hands, Network network) {

    Crew {
        hands = List.copyOf(hands);
        if (hands.size() != configuration.workersWanted()) {
            throw new IllegalArgumentException(
                    "%d workers are wanted, but are %d"
                            .formatted(configuration.workersWanted(), hands.size()));
        }
    }

    /**
     * The first that fit, as runs are placed.
     *
     * @return empty where there are too few
     */
    static Optional<Crew> ofFirst(
            RunConfiguration configuration, List<Hand> hands, Network network) {
        int wanted = configuration.workersWanted();
        return hands.size() < wanted
                ? Optional.empty()
                : Optional.of(new Crew(configuration, hands.subList(0, wanted), network));
    }

    /**
     * The fastest train, and of the others the fastest serve.
     *
     * @param fastest by descending speed
     * @return empty where there are too few
     */
    static Optional<Crew> ofFastest(
            RunConfiguration configuration, List<Hand> fastest, Network network) {
        int wanted = configuration.workersWanted();
        if (fastest.size() < wanted) {
            return Optional.empty();
        }
        int trainers = Math.min(wanted, configuration.workers().replicas());
        return Optional.of(
                new Crew(
                        configuration,
                        Stream.concat(
                                        fastest.subList(trainers, wanted).stream(),
                                        fastest.subList(0, trainers).stream())
                                .toList(),
                        network));
    }

    /** By rank; who serves has none. */
    List<Integer> shares() {
        Map<WorkerId, SpeedFunction> speeds =
                hands.stream()
                        .collect(Collectors.toMap(it -> it.worker().id(), it -> it.pace().speed()));
        return new Seating(
                        configuration,
                        workers(),
                        worker -> Optional.ofNullable(speeds.get(worker)),
                        Optional.empty())
                .seats().stream().map(Seat::share).toList();
    }

    List<LabWorker> workers() {
        return hands.stream().map(Hand::worker).toList();
    }

    /** Of a rank. */
    Hand hand(int rank) {
        return hands.size() == 1 ? hands.getFirst() : hands.get(rank);
    }

    TimeModel model() {
        return new TimeModel(
                configuration,
                shares(),
                IntStream.range(configuration.topology().servers(), configuration.ranks())
                        .mapToObj(this::pace)
                        .toList(),
                configuration.execution() instanceof Execution.Virtual virtual
                        ? LinkCosts.told(virtual.link())
                        : network.between(hands, configuration.channel()));
    }

    /** Of the replicas, in samples a second at the definition's mini-batch. */
    List<Double> speeds() {
        int batch = configuration.training().batchSize();
        return IntStream.range(configuration.topology().servers(), configuration.ranks())
                .mapToObj(rank ->
                        batch
                                / (pace(rank).speed().seconds(batch)
                                        * configuration.slowDownAtFirst(rank)))
                .toList();
    }

    private Pace pace(int rank) {
        return configuration.execution() instanceof Execution.Virtual virtual
                ? configuration
                        .speed(rank)
                        .map(told -> Pace.told(told, virtual.jitter()))
                        .orElseGet(() -> new Pace(hand(rank).pace().speed(), virtual.jitter(), 0))
                : hand(rank).pace();
    }

    /** The first worker on which a replica does not fit, and what it would take, in bytes. */
    Optional<Tight> tight() {
        if (configuration.isOnOneWorker()) {
            return Optional.empty();
        }
        int servers = configuration.topology().servers();
        List<Integer> rooms = Seating.rooms(configuration, workers());
        List<Integer> shares = hasRoomForShares() ? shares() : equalShares();
        return IntStream.range(servers, configuration.ranks())
                .filter(rank -> rooms.get(rank - servers) < samples(shares, rank))
                .mapToObj(rank ->
                        new Tight(
                                hand(rank).worker(),
                                Room.bytes(configuration.architecture(), samples(shares, rank))))
                .findFirst();
    }

    /** Of a mini-batch; who has next to nothing must hold a sample all the same. */
    private double samples(List<Integer> shares, int rank) {
        return Math.max(
                1, (double) shares.get(rank) / configuration.rounds() / configuration.count(rank));
    }

    /**
     * Shares that follow speeds follow memory as well, and there are none where it is too little:
     * then equal ones are too large for somebody.
     */
    private boolean hasRoomForShares() {
        return !(configuration.partitioning() instanceof Partitioning.Functional)
                || Seating.fits(configuration, workers());
    }

    private List<Integer> equalShares() {
        return Collections.nCopies(
                configuration.ranks(),
                Math.ceilDiv(configuration.dataset().limit(), configuration.workers().replicas()));
    }

    /**
     * A worker with too little memory.
     *
     * @param wanted about what a replica takes, in bytes
     */
    record Tight(LabWorker worker, double wanted) {}
}
