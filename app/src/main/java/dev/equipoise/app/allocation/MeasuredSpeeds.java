package dev.equipoise.app.allocation;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.PartialModels;
import dev.equipoise.performance.partition.PartialModels.Mark;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The measured speed functions of the workers that a run would get, and the profile gaps that
 * remain. With {@code points: partial} it builds partial FPMs (Lastovetsky, Reddy, Rychkov and
 * Clarke 2011, docs/algorithms.md, section 7).
 */
public final class MeasuredSpeeds {

    /** A measured mini-batch size stands for sizes within this relative distance. */
    private static final double TOLERANCE = 0.1;

    private final RunConfiguration configuration;
    private final Kernel.TrainingStep kernel;
    private final SpeedCurveLookup curves;
    private final RankSpeeds ranks;
    private final ComputingWorkers computing;

    /**
     * Looks up the speeds of all ranks of a definition.
     *
     * @param chosen the workers in the order of the ranks, or one worker for all
     */
    public MeasuredSpeeds(
            RunConfiguration configuration, List<LabWorker> chosen, SpeedCurveLookup curves) {
        this(configuration, RankSpeeds.firstPlaces(configuration, chosen), chosen, curves);
    }

    /**
     * Looks up the speeds of some ranks of a definition.
     *
     * @param places the ranks of the definition that they take
     * @param chosen the workers in the order of the ranks, or one worker for all
     */
    public MeasuredSpeeds(
            RunConfiguration configuration,
            List<Integer> places,
            List<LabWorker> chosen,
            SpeedCurveLookup curves) {
        this.configuration = configuration;
        this.kernel = new Kernel.TrainingStep(configuration.architecture().name());
        this.curves = curves;
        this.ranks = new RankSpeeds(configuration, places, chosen, new CurveSpeeds());
        this.computing = ranks.computing();
    }

    public RankSpeeds ranks() {
        return ranks;
    }

    /** The workers in the order of the ranks, or one worker for all. */
    public List<LabWorker> workers() {
        return ranks.chosen();
    }

    /** The allocations with the profiles from which the speeds of their workers come. */
    public List<RankAllocation> withProfiles(List<RankAllocation> allocations) {
        return allocations.stream().map(it -> it.by(profiles(it.worker()))).toList();
    }

    private List<UUID> profiles(WorkerId worker) {
        return computing.workers().stream()
                .filter(it -> it.id().equals(worker))
                .findFirst()
                .map(it -> curve(it, ranks.load(it)).profiles())
                .orElse(List.of());
    }

    private SpeedCurveLookup.SpeedCurve curve(LabWorker worker, HostLoad load) {
        return isPartial() ? curves.all(worker, kernel, load) : curves.whole(worker, kernel, load);
    }

    private final class CurveSpeeds implements WorkerSpeeds {

        @Override
        public Optional<SpeedFunction> of(LabWorker worker, HostLoad load) {
            return curve(worker, load).speed();
        }

        @Override
        public OptionalDouble sigmoid(LabWorker worker, HostLoad load) {
            return curve(worker, load).sigmoid();
        }

        @Override
        public Optional<SpeedFunction> gemm(LabWorker worker, HostLoad load) {
            return curves.gemm(worker, kernel, load).speed();
        }
    }

    private boolean isPartial() {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL;
    }

    /** The profiles that must be measured before the run can start. */
    public List<ProfileGap> missing() {
        if (!configuration.wantsSpeeds()) {
            return List.of();
        }
        return isPartial()
                ? missingPoints()
                : computing.companies().stream()
                        .filter(company -> !areKnown(company))
                        .map(company -> ProfileGap.of(company, it -> part(it, null)))
                        .toList();
    }

    private boolean areKnown(List<LabWorker> company) {
        return company.stream().allMatch(it -> isKnown(it, ranks.load(it)));
    }

    private boolean isKnown(LabWorker worker, HostLoad load) {
        return curves.whole(worker, kernel, load).speed().isPresent()
                && (!configuration.sharesByGemm()
                        || curves.gemm(worker, kernel, load).speed().isPresent());
    }

    /** Gaps of partial FPMs; co-located workers are measured together if any of them has one. */
    private List<ProfileGap> missingPoints() {
        if (!(step() instanceof PartialModels.Step.Measure(List<Mark> marks))) {
            return List.of();
        }
        return computing.companies().stream()
                .filter(company ->
                        company.stream().anyMatch(it -> !marks.get(ranks.replica(it)).isKnown()))
                .map(company ->
                        ProfileGap.of(company, it -> part(it, marks.get(ranks.replica(it)).size())))
                .toList();
    }

    private Profiles.Requirement part(LabWorker worker, @Nullable Integer size) {
        return new Profiles.Requirement(size, ranks.slowDown(ranks.replica(worker)));
    }

    private PartialModels.Step step() {
        return PartialModels.next(
                MemoryEstimate.work(configuration, ranks.chosen()),
                computing.workers().stream().map(this::slowedPoints).toList(),
                TOLERANCE);
    }

    private List<SpeedFunction.Point> slowedPoints(LabWorker worker) {
        double factor = ranks.slowDown(ranks.replica(worker));
        return curve(worker, ranks.load(worker)).points().stream()
                .map(it -> new SpeedFunction.Point(it.size(), factor * it.seconds()))
                .toList();
    }
}
