package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.performance.partition.Work;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Who gets which rank, and how much of an epoch: pure.
 *
 * @param places which of the definition's ranks there are; all of them, unless some were lost
 * @param chosen one worker for each of them, or one for all
 * @param measured the speed of a worker, where it is known
 * @param repeated the shares of all ranks, where they are those of an earlier run
 */
public record Seating(
        RunConfiguration configuration,
        List<Integer> places,
        List<LabWorker> chosen,
        Function<WorkerId, Optional<SpeedFunction>> measured,
        Optional<List<Integer>> repeated) {

    public Seating {
        places = List.copyOf(places);
        chosen = List.copyOf(chosen);
    }

    /** Of the first ranks: all, unless there are fewer workers. */
    public Seating(
            RunConfiguration configuration,
            List<LabWorker> chosen,
            Function<WorkerId, Optional<SpeedFunction>> measured,
            Optional<List<Integer>> repeated) {
        this(configuration, firstPlaces(configuration, chosen), chosen, measured, repeated);
    }

    /**
     * One for each worker, or all of them on one.
     *
     * @param chosen in their order, or one for all
     */
    public static List<Integer> firstPlaces(
            RunConfiguration configuration, List<LabWorker> chosen) {
        int places = configuration.isOnOneWorker() ? configuration.ranks() : chosen.size();
        return IntStream.range(0, places).boxed().toList();
    }

    /** In the order of the ranks; who serves has no share. */
    public List<Seat> seats() {
        List<Integer> shares = repeated.orElseGet(this::shares);
        List<Integer> rooms = rooms(configuration, chosen);
        int servers = configuration.topology().servers();
        return IntStream.range(0, places.size())
                .mapToObj(rank ->
                        new Seat(
                                worker(rank).id(),
                                worker(rank).name(),
                                shares.get(rank),
                                rank < servers
                                        ? 0
                                        : Math.max(
                                                rooms.get(rank - servers),
                                                Math.ceilDiv(
                                                        shares.get(rank), configuration.rounds())),
                                speed(rank)
                                        .map(speed -> stepSeconds(speed, shares.get(rank), rank))
                                        .orElse(null)))
                .toList();
    }

    LabWorker worker(int rank) {
        return chosen.size() == 1 ? chosen.getFirst() : chosen.get(rank);
    }

    private double stepSeconds(SpeedFunction speed, int share, int rank) {
        int count = configuration.count(places.get(rank));
        return count * speed.seconds(share / (double) configuration.rounds() / count);
    }

    private List<Integer> shares() {
        int servers = configuration.topology().servers();
        List<Integer> ofReplicas = sharesOfReplicas(servers);
        return IntStream.range(0, places.size())
                .mapToObj(rank -> rank < servers ? 0 : ofReplicas.get(rank - servers))
                .toList();
    }

    private List<Integer> sharesOfReplicas(int servers) {
        int samples = configuration.dataset().limit();
        return switch (configuration.partitioning()) {
            case Partitioning.Equal _, Partitioning.Dynamic _ ->
                    Partitioner.equal(samples, places.size() - servers);
            case Partitioning.Constant(var speeds) ->
                    Partitioner.inProportion(
                            samples,
                            places.stream()
                                    .skip(servers)
                                    .mapToDouble(place -> speeds.get(place - servers))
                                    .toArray());
            case Partitioning.BatchCounts(var counts) -> Partitioner.inProportion(samples, counts);
            case Partitioning.Hybrid _ ->
                    throw new IllegalStateException(
                            "groups have shares, which HybridSeating tells");
            case Partitioning.Functional functional ->
                    Partitioner.functional(
                            work(configuration, chosen),
                            IntStream.range(servers, places.size())
                                    .mapToObj(rank -> speed(rank).orElseThrow())
                                    .toList(),
                            functional.solver(),
                            functional.rounding());
        };
    }

    /** Of a rank, as slow as it is made; none of one that repeats what is decided already. */
    Optional<SpeedFunction> speed(int rank) {
        if (configuration.repeats().isPresent()) {
            return Optional.empty();
        }
        Optional<SpeedFunction> full =
                configuration
                        .speed(rank)
                        .map(Seating::given)
                        .or(() -> measured.apply(worker(rank).id()));
        return full.map(
                speed -> modelled(speed).slowedBy(configuration.slowDownAtFirst(places.get(rank))));
    }

    /** As the definition wants what was measured to be read. */
    private SpeedFunction modelled(SpeedFunction speed) {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                ? SpeedFunction.of(
                        functional.model(), speed.points(), configuration.training().batchSize())
                : speed;
    }

    /** Whether the workers of a run have memory for its rounds, all together. */
    public static boolean fits(RunConfiguration configuration, List<LabWorker> chosen) {
        return (long) room(configuration, chosen) * configuration.rounds()
                >= configuration.dataset().limit();
    }

    /** Samples of a round for which the workers of a run have memory, all together. */
    public static int room(RunConfiguration configuration, List<LabWorker> chosen) {
        return (int)
                Math.min(
                        Integer.MAX_VALUE,
                        rooms(configuration, chosen).stream().mapToLong(Integer::longValue).sum());
    }

    /**
     * An epoch of a run on these workers, none of which takes more than it has memory for.
     *
     * @param chosen one worker for each rank, or one for all
     * @throws IllegalArgumentException where they have too little memory, all together
     */
    public static Work work(RunConfiguration configuration, List<LabWorker> chosen) {
        return new Work(
                configuration.dataset().limit(),
                configuration.rounds(),
                rooms(configuration, chosen));
    }

    /** Of each replica; a worker that plays all of them takes their mini-batches one by one. */
    static List<Integer> rooms(RunConfiguration configuration, List<LabWorker> chosen) {
        if (configuration.isOnOneWorker()) {
            return Collections.nCopies(
                    configuration.workers().replicas(), configuration.dataset().limit());
        }
        List<LabWorker> computing =
                chosen.stream().skip(configuration.topology().servers()).toList();
        Map<String, Long> companies =
                computing.stream()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.host().name(), Collectors.counting()));
        Architecture network = configuration.architecture();
        return computing.stream()
                .map(LabWorker::host)
                .map(host ->
                        Room.samples(
                                network,
                                host.memoryBytes(),
                                companies.getOrDefault(host.name(), 1L).intValue()))
                .toList();
    }

    private static SpeedFunction given(Execution.Speed speed) {
        return SpeedFunction.piecewise(
                speed.points().stream()
                        .map(point -> new SpeedFunction.Point(point.size(), point.seconds()))
                        .toList());
    }

    /** What a virtual run without speeds of its own takes for them; none for all others. */
    public List<Execution.Speed> speeds() {
        return configuration.execution() instanceof Execution.Virtual virtual
                        && virtual.speeds().isEmpty()
                ? List.of(asGiven(measured.apply(worker(0).id()).orElseThrow()))
                : List.of();
    }

    private static Execution.Speed asGiven(SpeedFunction speed) {
        return new Execution.Speed(
                speed.points().stream()
                        .map(point -> new Execution.Point((int) point.size(), point.seconds()))
                        .toList());
    }
}
