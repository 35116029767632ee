package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.LayerMismatch;
import dev.equipoise.protocol.network.Preset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A run configuration: one combination of a definition with every default written out. Its JSON has
 * the fields of its groups on one level.
 *
 * @param apiVersion version of the format of definitions
 * @param name name of the experiment
 * @param seed seed of the initial weights, the order of samples and all other draws
 * @param automatic the choices of the service, open or made; null if there are none
 */
public record RunConfiguration(
        String apiVersion,
        String name,
        @JsonUnwrapped Workload workload,
        @JsonUnwrapped Parallelism parallelism,
        @JsonUnwrapped Environment environment,
        @JsonUnwrapped Instrumentation instrumentation,
        @JsonUnwrapped Scheduling scheduling,
        long seed,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Automatic automatic) {

    /** The fields that a replay must share with the run that it repeats, by their pointers. */
    private static final Map<String, Function<RunConfiguration, Object>> REPEATED =
            Map.ofEntries(
                    Map.entry("dataset", RunConfiguration::dataset),
                    Map.entry("network", RunConfiguration::network),
                    Map.entry("training", RunConfiguration::training),
                    Map.entry("workers/replicas", it -> it.workers().replicas()),
                    Map.entry("partitioning", RunConfiguration::partitioning),
                    Map.entry("synchronization", RunConfiguration::synchronization),
                    Map.entry("topology", RunConfiguration::topology),
                    Map.entry("compression", RunConfiguration::compression),
                    Map.entry("channel", RunConfiguration::channel),
                    Map.entry("heterogeneity", RunConfiguration::heterogeneity),
                    Map.entry("evaluation", it -> it.instrumentation().evaluation()),
                    Map.entry("initial", it -> it.initial().map(Workload.Initial::run)),
                    Map.entry("seed", RunConfiguration::seed));

    public DatasetSpec dataset() {
        return workload.dataset();
    }

    /** Returns the folder of the user's own data; null if the data are published or generated. */
    public @Nullable String folder() {
        return dataset() instanceof OwnSpec own ? own.folder() : null;
    }

    public Workload.Network network() {
        return workload.network();
    }

    public Workload.Training training() {
        return workload.training();
    }

    /** Returns the model with whose weights the run begins; empty for random ones. */
    public Optional<Workload.Initial> initial() {
        return Optional.ofNullable(workload.initial());
    }

    public Parallelism.WantedWorkers workers() {
        return parallelism.workers();
    }

    public Partitioning partitioning() {
        return parallelism.partitioning();
    }

    public Synchronization synchronization() {
        return parallelism.synchronization();
    }

    public Topology topology() {
        return parallelism.topology();
    }

    public Compression compression() {
        return parallelism.compression();
    }

    public ChannelKind channel() {
        return parallelism.channel();
    }

    public Environment.Heterogeneity heterogeneity() {
        return environment.heterogeneity();
    }

    public Execution execution() {
        return environment.execution();
    }

    /**
     * Returns the network with the shapes that follow from the data.
     *
     * @throws LayerMismatch if the shapes do not fit
     */
    public Architecture architecture() {
        List<Layer> layers = network().layers();
        return layers != null
                ? Architecture.of("layers", dataset().input(), layers)
                : Preset.named(String.valueOf(network().preset()))
                        .orElseThrow()
                        .architecture(
                                dataset().input(),
                                scores(),
                                Optional.ofNullable(network().hidden()).orElse(Preset.HIDDEN));
    }

    /** Returns the number of scores that the loss compares with a label. */
    public int scores() {
        return switch (training().loss().kind()) {
            case SOFTMAX_CROSS_ENTROPY -> dataset().classes();
            case SQUARED_ERROR -> dataset().targetUnits();
        };
    }

    /** Returns this configuration with another synchronization. */
    public RunConfiguration with(Synchronization other) {
        return with(parallelism.with(other), scheduling, seed, automatic);
    }

    /** Returns this configuration with other checkpoint settings. */
    public RunConfiguration with(Scheduling.Checkpoint other) {
        return with(parallelism, scheduling.with(other), seed, automatic);
    }

    /** Returns this configuration with another seed. */
    public RunConfiguration withSeed(long other) {
        return with(parallelism, scheduling, other, automatic);
    }

    /** Returns this configuration with another model to begin with. */
    public RunConfiguration with(Workload.Initial other) {
        return new RunConfiguration(
                apiVersion,
                name,
                workload.with(other),
                parallelism,
                environment,
                instrumentation,
                scheduling,
                seed,
                automatic);
    }

    /** Returns this configuration with other automatic choices. */
    public RunConfiguration with(Automatic other) {
        return with(parallelism, scheduling, seed, other);
    }

    private RunConfiguration with(
            Parallelism otherParallelism,
            Scheduling otherScheduling,
            long otherSeed,
            @Nullable Automatic otherAutomatic) {
        return new RunConfiguration(
                apiVersion,
                name,
                workload,
                otherParallelism,
                environment,
                instrumentation,
                otherScheduling,
                otherSeed,
                otherAutomatic);
    }

    /** Tells whether the service must choose something before the run can be placed. */
    @JsonIgnore
    public boolean isOpen() {
        return automatic != null && automatic.definition() != null;
    }

    /** Returns the synchronization method with topology and compression. */
    public Method method() {
        return new Method(synchronization(), topology(), compression());
    }

    /** Returns the number of ranks: parameter servers first, then replicas. */
    public int ranks() {
        return workers().replicas() + topology().servers();
    }

    /** Returns the number of workers that the run needs. */
    public int workersWanted() {
        return isOnOneWorker() ? 1 : ranks();
    }

    /** Tells whether the run may be preempted. */
    @JsonIgnore
    public boolean isPreemptible() {
        return scheduling.preemption() == Preemption.ALLOWED;
    }

    /** Tells whether the run may store a checkpoint, or lose ranks, and continue. */
    @JsonIgnore
    public boolean isStoppable() {
        return isPreemptible() || isElastic() || scheduling.checkpoint().every() > 0;
    }

    /** Tells whether the run may continue with fewer replicas than it asks for. */
    @JsonIgnore
    public boolean isElastic() {
        return workers().minimum() < workers().replicas();
    }

    /**
     * Tells whether the run continues after losses without a suspension: each rank has weights of
     * its own and trains to the end of the epoch without the lost ranks.
     */
    public boolean toleratesLosses() {
        return isElastic() && method().toleratesLosses();
    }

    /**
     * Tells whether all replicas have equal weights after each epoch, to the bit if their
     * processors compute alike.
     */
    public boolean endsEpochsWithEqualReplicas() {
        return method().endsEpochsWithEqualReplicas(rounds());
    }

    /**
     * Returns the number of servers, the first ranks, that only sum and hold no weights of the
     * model.
     */
    public int ranksWithoutWeights() {
        return method().ranksWithoutWeights();
    }

    /** Tells whether all ranks are on one worker. */
    @JsonIgnore
    public boolean isOnOneWorker() {
        return !(execution() instanceof Execution.Real);
    }

    /** Returns the run whose execution order this one replays. */
    public Optional<RunId> repeats() {
        return execution() instanceof Execution.Replay(RunId run)
                ? Optional.of(run)
                : Optional.empty();
    }

    /**
     * Returns the fields in which this configuration differs from that of the run that it replays.
     * Name, execution and stored data may differ.
     */
    public List<String> differencesTo(RunConfiguration repeated) {
        return REPEATED.entrySet().stream()
                .filter(field ->
                        !field.getValue().apply(this).equals(field.getValue().apply(repeated)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Tells whether the run needs the speed functions of its workers. */
    public boolean wantsSpeeds() {
        return switch (execution()) {
            case Execution.Virtual(var speeds, var _, var _) -> speeds.isEmpty();
            case Execution.Real _ ->
                    partitioning() instanceof Partitioning.Functional
                            || partitioning() instanceof Partitioning.Hybrid;
            case Execution.Replay _ -> false;
        };
    }

    /** Tells whether shares are computed from the workers' speed functions of GEMM. */
    public boolean sharesByGemm() {
        return partitioning() instanceof Partitioning.Functional functional
                && functional.kernel() == Partitioning.SpeedKernel.GEMM;
    }

    /**
     * Tells whether the costs of the links between its workers must be measured; false for a
     * replay.
     */
    public boolean followsLinks() {
        return repeats().isEmpty()
                && (topology().followsLinks()
                        || (compression().followsLinks() && execution() instanceof Execution.Real));
    }

    /** Tells whether all-reduces between its workers must be measured. */
    public boolean wantsAllReduces() {
        return partitioning() instanceof Partitioning.Hybrid
                && execution() instanceof Execution.Real;
    }

    /** Tells whether the links between its workers must be measured for any reason. */
    public boolean wantsLinks() {
        return followsLinks() || wantsAllReduces();
    }

    /**
     * Returns the configured speed of a rank in a virtual run; empty if it is measured. The list of
     * speeds is repeated over the replicas; servers compute nothing.
     */
    public Optional<Execution.Speed> speed(int rank) {
        return execution() instanceof Execution.Virtual(var speeds, var _, var _)
                        && !speeds.isEmpty()
                ? Optional.of(speeds.get(Math.max(0, rank - topology().servers()) % speeds.size()))
                : Optional.empty();
    }

    /** Returns the execution with the configured speeds listed by rank. */
    public Execution executionByRank() {
        return execution() instanceof Execution.Virtual(var _, var jitter, var link)
                        && topology().servers() > 0
                ? new Execution.Virtual(
                        IntStream.range(0, ranks())
                                .mapToObj(this::speed)
                                .flatMap(Optional::stream)
                                .toList(),
                        jitter,
                        link)
                : execution();
    }

    /** Returns the factor by which the computing times of a rank are stretched. */
    public double slowDown(int rank) {
        return heterogeneity().slowDown().getOrDefault(rank, 1.0);
    }

    /** Returns that factor in the first epoch. */
    public double slowDownAtFirst(int rank) {
        return heterogeneity().slowDownFrom() > 1 ? 1 : slowDown(rank);
    }

    /**
     * Returns the relative gain of the longest computing time below which shares stay unchanged;
     * null without dynamic load balancing.
     */
    public @Nullable Double hysteresis() {
        return partitioning() instanceof Partitioning.Dynamic(double hysteresis)
                ? hysteresis
                : null;
    }

    /** Returns the number of mini-batches that a rank takes in a round. */
    public int count(int rank) {
        return partitioning() instanceof Partitioning.BatchCounts(var counts)
                        && rank >= topology().servers()
                ? counts.get(rank - topology().servers())
                : 1;
    }

    /** Returns the mean number of samples of all ranks together in a round, rounded. */
    public int samplesOfRound() {
        return (int) Math.max(1, Math.round(dataset().limit() / (double) rounds()));
    }

    /** Returns the rounds of an epoch, equal on all ranks: samples over the global mini-batch. */
    public int rounds() {
        long batches = IntStream.range(topology().servers(), ranks()).mapToLong(this::count).sum();
        double globalBatch = (double) training().batchSize() * batches;
        return (int) Math.max(1, Math.round(dataset().limit() / globalBatch));
    }
}
