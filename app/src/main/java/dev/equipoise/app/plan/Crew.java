package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The same workers, who do the same; what is written down of it is other. */
    Crew with(RunConfiguration written) {
        return new Crew(written, hands, network);
    }

    /** By rank; who serves has none. */
    List<Integer> shares() {
        return seating().seats().stream().map(Seat::share).toList();
    }

    /**
     * What is to be expected.
     *
     * @param shares by rank, in the middle of the run
     */
    record Outlook(List<Integer> shares, Forecast forecast) {}

    Outlook outlook(Calibration calibration) {
        return configuration.partitioning() instanceof Partitioning.Hybrid wanted
                ? outlook(wanted, calibration)
                : outlook(model(), calibration);
    }

    private static Outlook outlook(TimeModel model, Calibration calibration) {
        return new Outlook(model.shares(), new Forecasting(model, calibration).forecast());
    }

    /** With sums over links like the slowest, as nobody has timed them yet. */
    private Outlook outlook(Partitioning.Hybrid wanted, Calibration calibration) {
        LinkCosts links = links();
        var groups =
                new HybridSeating(
                        seating(),
                        wanted,
                        HybridSeating.expected(
                                links.slowest(configuration.ranks()),
                                HybridSeating.algorithm(configuration)));
        Hybrid hybrid = groups.hybrid();
        return new Outlook(
                groups.seats(hybrid).stream().map(Seat::share).toList(),
                Forecasting.ofHybrid(
                        configuration, hybrid, paces(), Optional.of(links), calibration));
    }

    private LinkCosts links() {
        return configuration.execution() instanceof Execution.Virtual virtual
                ? LinkCosts.told(virtual.link())
                : network.between(hands, configuration.channel());
    }

    /** Who gets which part. */
    Seating seating() {
        Map<WorkerId, SpeedFunction> speeds = new HashMap<>();
        Map<String, Load> loads = loads();
        computing().forEach(hand -> speeds.put(hand.worker().id(), pace(hand, loads).speed()));
        return new Seating(
                configuration,
                workers(),
                worker -> Optional.ofNullable(speeds.get(worker)),
                Optional.empty());
    }

    List<LabWorker> workers() {
        return hands.stream().map(Hand::worker).toList();
    }

    /** Of a rank. */
    Hand hand(int rank) {
        return hands.size() == 1 ? hands.getFirst() : hands.get(rank);
    }

    /** Whether the speed of every replica is. */
    boolean isKnown() {
        return isTold() || computing().stream().allMatch(Hand::isKnown);
    }

    TimeModel model() {
        return model(shares());
    }

    TimeModel model(List<Integer> shares) {
        return new TimeModel(configuration, shares, paces(), links());
    }

    /** Of the replicas, in samples a second at the definition's mini-batch. */
    List<Double> speeds() {
        int servers = configuration.topology().servers();
        int batch = configuration.training().batchSize();
        List<Pace> paces = paces();
        return IntStream.range(0, paces.size())
                .mapToObj(replica ->
                        batch
                                / (paces.get(replica).speed().seconds(batch)
                                        * configuration.slowDownAtFirst(servers + replica)))
                .toList();
    }

    /** Of the replicas, in the order of their ranks, beside one another. */
    List<Pace> paces() {
        Map<String, Load> loads = isTold() ? Map.of() : loads();
        return IntStream.range(configuration.topology().servers(), configuration.ranks())
                .mapToObj(rank ->
                        configuration.execution() instanceof Execution.Virtual virtual
                                ? played(rank, virtual.jitter(), loads)
                                : pace(hand(rank), loads))
                .toList();
    }

    /** A virtual clock has the jitter that it is told, whatever its worker has. */
    private Pace played(int rank, double jitter, Map<String, Load> loads) {
        return configuration
                .speed(rank)
                .map(told -> Pace.told(told, jitter))
                .orElseGet(() -> new Pace(pace(hand(rank), loads).speed(), jitter, 0));
    }

    private boolean isTold() {
        return configuration.isOnOneWorker() && !configuration.wantsSpeeds();
    }

    /** Who serves computes nothing. */
    private List<Hand> computing() {
        return configuration.isOnOneWorker()
                ? hands
                : hands.subList(configuration.topology().servers(), hands.size());
    }

    private static Pace pace(Hand hand, Map<String, Load> loads) {
        return hand.pace(loads.getOrDefault(hand.worker().host().name(), Load.ALONE));
    }

    /** What all replicas of a machine make of it together, by its name. */
    private Map<String, Load> loads() {
        Map<String, Load> loads = new HashMap<>();
        Map<WorkerId, Double> slowDowns = new HashMap<>();
        if (!configuration.isOnOneWorker()) {
            for (int rank = configuration.topology().servers(); rank < hands.size(); rank++) {
                slowDowns.put(hands.get(rank).worker().id(), configuration.slowDownAtFirst(rank));
            }
        }
        for (List<LabWorker> company :
                Workers.byMachine(computing().stream().map(Hand::worker).toList())) {
            loads.put(
                    company.getFirst().host().name(),
                    // On one worker nothing is stretched but the clock.
                    Load.of(company, id -> slowDowns.getOrDefault(id, 1.0)));
        }
        return loads;
    }

    /** The first worker on which a replica does not fit, and what it would take, in bytes. */
    Optional<Tight> tight() {
        if (configuration.isOnOneWorker()) {
            return Optional.empty();
        }
        int servers = configuration.topology().servers();
        List<Integer> rooms = Seating.rooms(configuration, workers());
        List<Integer> shares = isShared() && hasRoomForShares() ? shares() : equalShares();
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

    /** Groups have shares of their own, which HybridSeating tells. */
    private boolean isShared() {
        return !(configuration.partitioning() instanceof Partitioning.Hybrid);
    }

    /**
     * Shares that follow speeds follow memory as well, and there are none where it is too little:
     * then equal ones are too large for somebody.
     */
    boolean hasRoomForShares() {
        return !(configuration.partitioning() instanceof Partitioning.Functional)
                || Seating.fits(configuration, workers());
    }

    /** Each member of a group has all of its samples. */
    private List<Integer> equalShares() {
        int members =
                configuration.partitioning() instanceof Partitioning.Hybrid(var told, var _)
                                && told != null
                        ? told
                        : 1;
        return Collections.nCopies(
                configuration.ranks(),
                Math.ceilDiv(
                        configuration.dataset().limit(),
                        configuration.workers().replicas() / members));
    }

    /**
     * A worker with too little memory.
     *
     * @param wanted about what a replica takes, in bytes
     */
    record Tight(LabWorker worker, double wanted) {}
}
