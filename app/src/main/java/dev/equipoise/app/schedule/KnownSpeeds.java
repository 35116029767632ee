package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.PartialModels;
import dev.equipoise.performance.partition.PartialModels.Mark;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is known of the speeds of the workers that a run would get, and what it lacks of them. */
final class KnownSpeeds {

    /** A mini-batch that was measured stands for those that differ by less than this part. */
    private static final double NEAR = 0.1;

    private final RunConfiguration configuration;
    private final List<Integer> places;
    private final List<LabWorker> chosen;
    private final List<LabWorker> computing;
    private final List<List<LabWorker>> companies;
    private final Kernel.TrainingStep kernel;
    private final Curves speeds;

    /**
     * Of the first ranks.
     *
     * @param chosen in their order, or one for all
     */
    KnownSpeeds(RunConfiguration configuration, List<LabWorker> chosen, Curves speeds) {
        this(configuration, Seating.firstPlaces(configuration, chosen), chosen, speeds);
    }

    /**
     * Of those that are left.
     *
     * @param places which of the definition's ranks they are
     * @param chosen in the order of the ranks, or one for all
     */
    KnownSpeeds(
            RunConfiguration configuration,
            List<Integer> places,
            List<LabWorker> chosen,
            Curves speeds) {
        this.configuration = configuration;
        this.places = List.copyOf(places);
        this.chosen = chosen;
        // Who serves computes nothing.
        this.computing =
                configuration.isOnOneWorker()
                        ? chosen
                        : chosen.stream().skip(configuration.topology().servers()).toList();
        this.companies = Workers.byMachine(computing);
        this.kernel = new Kernel.TrainingStep(configuration.architecture().name());
        this.speeds = speeds;
    }

    /** What must be measured before the run can begin. */
    List<Need> missing() {
        if (!configuration.wantsSpeeds()) {
            return List.of();
        }
        return isPartial()
                ? missingMarks()
                : companies.stream()
                        .filter(company -> !areKnown(company))
                        .map(company -> Need.of(company, it -> part(it, null)))
                        .toList();
    }

    private boolean areKnown(List<LabWorker> company) {
        return company.stream()
                .allMatch(it -> speeds.whole(it, kernel, load(company)).speed().isPresent());
    }

    private boolean isPartial() {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL;
    }

    /** Of a machine all are measured as soon as one of its workers is not known well enough. */
    private List<Need> missingMarks() {
        if (!(step() instanceof PartialModels.Step.Measure(List<Mark> marks))) {
            return List.of();
        }
        return companies.stream()
                .filter(company -> company.stream().anyMatch(it -> !marks.get(rank(it)).isKnown()))
                .map(company -> Need.of(company, it -> part(it, marks.get(rank(it)).size())))
                .toList();
    }

    private Profiles.Part part(LabWorker worker, @Nullable Integer size) {
        return new Profiles.Part(size, slowDown(worker));
    }

    /** Among those that compute. */
    private int rank(LabWorker worker) {
        return computing.indexOf(worker);
    }

    private PartialModels.Step step() {
        return PartialModels.next(
                Seating.work(configuration, chosen),
                computing.stream().map(it -> slowed(curve(it).points(), slowDown(it))).toList(),
                NEAR);
    }

    /** On one worker nothing is stretched but the clock. */
    private double slowDown(LabWorker worker) {
        return configuration.isOnOneWorker()
                ? 1
                : configuration.slowDownAtFirst(
                        places.get(configuration.topology().servers() + rank(worker)));
    }

    private Load loadOf(LabWorker worker) {
        return companies.stream()
                .filter(company -> company.contains(worker))
                .findFirst()
                .map(this::load)
                .orElse(Load.ALONE);
    }

    private Load load(List<LabWorker> company) {
        Map<WorkerId, LabWorker> byId =
                company.stream().collect(Collectors.toMap(LabWorker::id, it -> it));
        return Load.of(company, id -> slowDown(Objects.requireNonNull(byId.get(id))));
    }

    private static List<SpeedFunction.Point> slowed(
            List<SpeedFunction.Point> points, double factor) {
        return points.stream()
                .map(it -> new SpeedFunction.Point(it.size(), factor * it.seconds()))
                .toList();
    }

    /** The speed of a worker under the load of its machine, where it is known. */
    Optional<SpeedFunction> of(WorkerId worker) {
        return curve(worker).flatMap(Curves.Curve::speed);
    }

    /** The same seats, which tell the profiles from which their workers' speeds are known. */
    List<Seat> explained(List<Seat> seats) {
        return seats.stream().map(seat -> seat.by(profiles(seat.worker()))).toList();
    }

    private List<UUID> profiles(WorkerId worker) {
        return curve(worker).map(Curves.Curve::profiles).orElse(List.of());
    }

    private Optional<Curves.Curve> curve(WorkerId worker) {
        return computing.stream().filter(it -> it.id().equals(worker)).findFirst().map(this::curve);
    }

    private Curves.Curve curve(LabWorker worker) {
        return isPartial()
                ? speeds.all(worker, kernel, loadOf(worker))
                : speeds.whole(worker, kernel, loadOf(worker));
    }
}
