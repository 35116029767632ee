package dev.equipoise.app.plan;

import dev.equipoise.app.allocation.Allocator;
import dev.equipoise.app.allocation.HybridAllocator;
import dev.equipoise.app.allocation.MemoryEstimate;
import dev.equipoise.app.allocation.RankSpeeds;
import dev.equipoise.app.allocation.WorkerSpeeds;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A configuration with the workers that would run it and the links between them.
 *
 * @param candidateWorkers one for each rank, or one for all ranks of a virtual run
 */
record PlanCandidate(
        RunConfiguration configuration,
        List<CandidateWorker> candidateWorkers,
        LinkModel linkModel) {

    PlanCandidate {
        candidateWorkers = List.copyOf(candidateWorkers);
        if (candidateWorkers.size() != configuration.workersWanted()) {
            throw new IllegalArgumentException(
                    "the configuration needs %d workers, but got %d"
                            .formatted(configuration.workersWanted(), candidateWorkers.size()));
        }
    }

    /**
     * Takes the first workers, as a placement would.
     *
     * @return empty if there are too few
     */
    static Optional<PlanCandidate> ofFirst(
            RunConfiguration configuration,
            List<CandidateWorker> candidateWorkers,
            LinkModel linkModel) {
        int wanted = configuration.workersWanted();
        return candidateWorkers.size() < wanted
                ? Optional.empty()
                : Optional.of(
                        new PlanCandidate(
                                configuration, candidateWorkers.subList(0, wanted), linkModel));
    }

    /**
     * Makes the fastest workers replicas, and the next fastest parameter servers.
     *
     * @param fastest by descending speed
     * @return empty if there are too few
     */
    static Optional<PlanCandidate> ofFastest(
            RunConfiguration configuration, List<CandidateWorker> fastest, LinkModel linkModel) {
        int wanted = configuration.workersWanted();
        if (fastest.size() < wanted) {
            return Optional.empty();
        }
        int trainers = Math.min(wanted, configuration.workers().replicas());
        List<CandidateWorker> byRank = rotated(fastest.subList(0, wanted), trainers);
        return Optional.of(new PlanCandidate(configuration, byRank, linkModel));
    }

    /** Moves the first workers behind the others. */
    private static List<CandidateWorker> rotated(List<CandidateWorker> some, int first) {
        return Stream.concat(
                        some.subList(first, some.size()).stream(), some.subList(0, first).stream())
                .toList();
    }

    /** The candidate with an equivalent configuration that is written differently. */
    PlanCandidate with(RunConfiguration written) {
        return new PlanCandidate(written, candidateWorkers, linkModel);
    }

    /** Shares by rank; 0 for parameter servers. */
    List<Integer> shares() {
        return allocator().allocations().stream().map(RankAllocation::share).toList();
    }

    /**
     * The prediction of a candidate.
     *
     * @param shares by rank, in the middle of the run
     */
    record Predicted(List<Integer> shares, Forecast forecast) {}

    Predicted predict(BiasCorrection biasCorrection) {
        return configuration.partitioning() instanceof Partitioning.Hybrid wanted
                ? predict(wanted, biasCorrection)
                : predict(model(), biasCorrection);
    }

    private static Predicted predict(EpochTimeModel model, BiasCorrection biasCorrection) {
        return new Predicted(model.shares(), new EpochForecaster(model, biasCorrection).forecast());
    }

    /** Predicts all-reduces by formula over the slowest link, as none is measured yet. */
    private Predicted predict(Partitioning.Hybrid wanted, BiasCorrection biasCorrection) {
        LinkCosts links = links();
        var groups =
                new HybridAllocator(
                        allocator(),
                        wanted,
                        HybridAllocator.expected(
                                links.slowest(configuration.ranks()),
                                HybridAllocator.algorithm(configuration)));
        HybridAllocationView hybrid = groups.hybrid();
        return new Predicted(
                groups.allocations(hybrid).stream().map(RankAllocation::share).toList(),
                EpochForecaster.ofHybrid(
                        configuration, hybrid, stepTimes(), Optional.of(links), biasCorrection));
    }

    private LinkCosts links() {
        return configuration.execution() instanceof Execution.Virtual virtual
                ? LinkCosts.specified(virtual.link())
                : linkModel.between(candidateWorkers, configuration.channel());
    }

    Allocator allocator() {
        return new Allocator(ranks());
    }

    private RankSpeeds ranks() {
        Map<WorkerId, CandidateWorker> known =
                candidateWorkers.stream()
                        .collect(
                                Collectors.toMap(
                                        it -> it.worker().id(), it -> it, (_, last) -> last));
        return new RankSpeeds(configuration, workers(), new CandidateSpeeds(known));
    }

    private record CandidateSpeeds(Map<WorkerId, CandidateWorker> known) implements WorkerSpeeds {

        @Override
        public Optional<SpeedFunction> of(LabWorker worker, HostLoad load) {
            return model(worker, load).map(StepTimeModel::speed);
        }

        @Override
        public OptionalDouble sigmoid(LabWorker worker, HostLoad load) {
            return model(worker, load).map(StepTimeModel::sigmoid).orElse(OptionalDouble.empty());
        }

        @Override
        public Optional<SpeedFunction> gemm(LabWorker worker, HostLoad load) {
            return Optional.ofNullable(known.get(worker.id())).flatMap(it -> it.gemm(load));
        }

        private Optional<StepTimeModel> model(LabWorker worker, HostLoad load) {
            return Optional.ofNullable(known.get(worker.id())).map(it -> it.stepTime(load));
        }
    }

    List<LabWorker> workers() {
        return candidateWorkers.stream().map(CandidateWorker::worker).toList();
    }

    CandidateWorker candidateWorker(int rank) {
        return candidateWorkers.size() == 1
                ? candidateWorkers.getFirst()
                : candidateWorkers.get(rank);
    }

    /** Whether the speed of every replica is known. */
    boolean isKnown() {
        return isSpecified() || computing().stream().allMatch(CandidateWorker::isKnown);
    }

    EpochTimeModel model() {
        return model(shares());
    }

    EpochTimeModel model(List<Integer> shares) {
        return new EpochTimeModel(configuration, shares, stepTimes(), links());
    }

    /** Speeds of the replicas in samples a second, at the mini-batch size of the definition. */
    List<Double> speeds() {
        int servers = configuration.topology().servers();
        int batch = configuration.training().batchSize();
        RankSpeeds ranks = ranks();
        List<StepTimeModel> stepTimes = stepTimes();
        return IntStream.range(0, stepTimes.size())
                .mapToObj(replica ->
                        batch
                                / (stepTimes.get(replica).speed().seconds(batch)
                                        * ranks.rankSlowDown(servers + replica)))
                .toList();
    }

    /** Step time models of the replicas in rank order, under the host load of the run. */
    List<StepTimeModel> stepTimes() {
        RankSpeeds ranks = ranks();
        return IntStream.range(configuration.topology().servers(), configuration.ranks())
                .mapToObj(rank ->
                        configuration.execution() instanceof Execution.Virtual virtual
                                ? virtualStepTime(rank, virtual.jitter(), ranks)
                                : stepTime(rank, ranks))
                .toList();
    }

    /** The step time model of a virtual rank; its jitter is that of the definition. */
    private StepTimeModel virtualStepTime(int rank, double jitter, RankSpeeds ranks) {
        return configuration
                .speed(rank)
                .map(speed -> StepTimeModel.specified(speed, jitter))
                .orElseGet(() -> new StepTimeModel(stepTime(rank, ranks).speed(), jitter, 0));
    }

    private StepTimeModel stepTime(int rank, RankSpeeds ranks) {
        CandidateWorker candidate = candidateWorker(rank);
        return candidate.stepTime(ranks.load(candidate.worker()));
    }

    private boolean isSpecified() {
        return configuration.isOnOneWorker() && !configuration.wantsSpeeds();
    }

    /** The workers of the replicas; parameter servers compute no gradients. */
    private List<CandidateWorker> computing() {
        return configuration.isOnOneWorker()
                ? candidateWorkers
                : candidateWorkers.subList(
                        configuration.topology().servers(), candidateWorkers.size());
    }

    /** The first worker on which a replica does not fit; empty if all fit. */
    Optional<MemoryShortage> memoryShortage() {
        if (configuration.isOnOneWorker()) {
            return Optional.empty();
        }
        int servers = configuration.topology().servers();
        List<Integer> bounds = MemoryEstimate.bounds(configuration, workers());
        List<Integer> shares = isShared() && fitsMemory() ? shares() : equalShares();
        return IntStream.range(servers, configuration.ranks())
                .filter(rank -> bounds.get(rank - servers) < samples(shares, rank))
                .mapToObj(rank ->
                        new MemoryShortage(
                                candidateWorker(rank).worker(), neededBytes(shares, rank)))
                .findFirst();
    }

    private double neededBytes(List<Integer> shares, int rank) {
        return MemoryEstimate.bytes(configuration.architecture(), samples(shares, rank));
    }

    /** Samples of a mini-batch of a rank, at least 1: memory must hold one sample in any case. */
    private double samples(List<Integer> shares, int rank) {
        return Math.max(
                1, (double) shares.get(rank) / configuration.rounds() / configuration.count(rank));
    }

    /** Whether {@link #shares} applies; {@link HybridAllocator} computes the shares of groups. */
    private boolean isShared() {
        return !(configuration.partitioning() instanceof Partitioning.Hybrid);
    }

    /**
     * Whether the workers have memory for the shares. Functional shares are bounded by memory and
     * do not exist if it is too little; equal shares then exceed the memory of some worker.
     */
    boolean fitsMemory() {
        return !(configuration.partitioning() instanceof Partitioning.Functional)
                || MemoryEstimate.fits(configuration, workers());
    }

    /** Equal shares; each member of a group takes all samples of the group. */
    private List<Integer> equalShares() {
        int members =
                configuration.partitioning() instanceof Partitioning.Hybrid(var nodeParallel, var _)
                                && nodeParallel != null
                        ? nodeParallel
                        : 1;
        return Collections.nCopies(
                configuration.ranks(),
                Math.ceilDiv(
                        configuration.dataset().limit(),
                        configuration.workers().replicas() / members));
    }

    /**
     * A worker with too little memory for its replica.
     *
     * @param neededBytes estimated memory of the replica
     */
    record MemoryShortage(LabWorker worker, double neededBytes) {}
}
