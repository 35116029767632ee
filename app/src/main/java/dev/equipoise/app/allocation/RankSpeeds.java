package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Tells how fast each rank of a run computes: on its worker, under the host load of the whole run,
 * with its emulated slowdown. Pure.
 */
public final class RankSpeeds {

    private final RunConfiguration configuration;
    private final List<Integer> places;
    private final List<LabWorker> chosen;
    private final ComputingWorkers computing;
    private final Map<WorkerId, Integer> replicas = new HashMap<>();
    private final Map<String, HostLoad> loads = new HashMap<>();
    private final WorkerSpeeds speeds;

    /**
     * Creates the speeds of some ranks of a definition.
     *
     * @param places the ranks of the definition that exist; all, unless some were lost
     * @param chosen one worker for each of them, or one for all
     */
    public RankSpeeds(
            RunConfiguration configuration,
            List<Integer> places,
            List<LabWorker> chosen,
            WorkerSpeeds speeds) {
        this.configuration = configuration;
        this.places = List.copyOf(places);
        this.chosen = List.copyOf(chosen);
        this.computing = ComputingWorkers.of(configuration, chosen);
        this.speeds = speeds;
        computing.workers().forEach(it -> replicas.put(it.id(), replicas.size()));
        computing.byHost().forEach((host, company) -> loads.put(host, load(company)));
    }

    private HostLoad load(List<LabWorker> company) {
        return HostLoad.of(company, id -> slowDown(Objects.requireNonNull(replicas.get(id))));
    }

    /** Creates the speeds of the first ranks: of all, unless there are fewer workers. */
    public RankSpeeds(RunConfiguration configuration, List<LabWorker> chosen, WorkerSpeeds speeds) {
        this(configuration, firstPlaces(configuration, chosen), chosen, speeds);
    }

    /**
     * The first ranks of a definition: one for each worker, or all for a virtual run.
     *
     * @param chosen in rank order, or one for all
     */
    static List<Integer> firstPlaces(RunConfiguration configuration, List<LabWorker> chosen) {
        int places = configuration.isOnOneWorker() ? configuration.ranks() : chosen.size();
        return IntStream.range(0, places).boxed().toList();
    }

    RunConfiguration configuration() {
        return configuration;
    }

    List<Integer> places() {
        return places;
    }

    List<LabWorker> chosen() {
        return chosen;
    }

    ComputingWorkers computing() {
        return computing;
    }

    LabWorker worker(int rank) {
        return chosen.size() == 1 ? chosen.getFirst() : chosen.get(rank);
    }

    /** The index of a computing worker among the replicas. */
    int replica(LabWorker worker) {
        return Objects.requireNonNull(replicas.get(worker.id()));
    }

    /** The emulated slowdown of a rank in its first epoch, at least 1. */
    public double rankSlowDown(int rank) {
        return configuration.slowDownAtFirst(places.get(rank));
    }

    /**
     * The slowdown with which a replica loads its host; 1 for a virtual run, which stretches its
     * virtual clock instead.
     */
    double slowDown(int replica) {
        return configuration.isOnOneWorker()
                ? 1
                : rankSlowDown(configuration.topology().servers() + replica);
    }

    /** The load that the replicas of the run cause on the host of a worker. */
    public HostLoad load(LabWorker worker) {
        return loads.getOrDefault(worker.host().name(), HostLoad.ALONE);
    }

    /** The speed function of a worker without slowdown; empty if it is unknown. */
    Optional<SpeedFunction> of(LabWorker worker) {
        return replicas.containsKey(worker.id())
                ? speeds.of(worker, load(worker))
                : Optional.empty();
    }

    /**
     * The speed function of a rank with its slowdown, by the performance model of the definition.
     *
     * @return empty for a replay and for unknown speeds
     */
    Optional<SpeedFunction> of(int rank) {
        if (configuration.repeats().isPresent()) {
            return Optional.empty();
        }
        Optional<SpeedFunction> full =
                configuration.speed(rank).map(RankSpeeds::specified).or(() -> of(worker(rank)));
        return full.map(speed -> modeled(speed).slowedBy(rankSlowDown(rank)));
    }

    /**
     * Seconds of a sigmoid on a rank with its slowdown.
     *
     * @return empty if it was not measured, or if the definition specifies speeds
     */
    OptionalDouble sigmoid(int rank) {
        LabWorker worker = worker(rank);
        OptionalDouble full =
                configuration.isOnOneWorker() || !replicas.containsKey(worker.id())
                        ? OptionalDouble.empty()
                        : speeds.sigmoid(worker, load(worker));
        return full.stream().map(seconds -> seconds * rankSlowDown(rank)).findFirst();
    }

    /**
     * The speed function from which the share of a rank is computed, with its slowdown: that of the
     * kernel of the definition.
     */
    Optional<SpeedFunction> forShare(int rank) {
        return configuration.sharesByGemm()
                ? gemm(worker(rank)).map(it -> modeled(it).slowedBy(rankSlowDown(rank)))
                : of(rank);
    }

    private Optional<SpeedFunction> gemm(LabWorker worker) {
        return replicas.containsKey(worker.id())
                ? speeds.gemm(worker, load(worker))
                : Optional.empty();
    }

    private static SpeedFunction specified(Execution.Speed speed) {
        return SpeedFunction.piecewise(
                speed.points().stream()
                        .map(point -> new SpeedFunction.Point(point.size(), point.seconds()))
                        .toList());
    }

    /** Applies the performance model of the definition: constant, piecewise or Akima. */
    private SpeedFunction modeled(SpeedFunction speed) {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                ? SpeedFunction.of(
                        functional.model(), speed.points(), configuration.training().batchSize())
                : speed;
    }
}
