package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.Decided;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads the ended runs of an experiment for export. */
@Service
public class FinishedRuns {

    /** Limit of the runs of an experiment in one export. */
    public static final int MAX_RUNS = 1000;

    /**
     * Limit of an exported execution order, in decisions: a longer one is omitted, since only a
     * whole order can be replayed.
     */
    private static final int MAX_ORDER = 200_000;

    private final RunRepository runs;
    private final RunMeasurementsRepository measurements;
    private final ExecutionOrders orders;
    private final Runs views;

    FinishedRuns(
            RunRepository runs,
            RunMeasurementsRepository measurements,
            ExecutionOrders orders,
            Runs views) {
        this.runs = runs;
        this.measurements = measurements;
        this.orders = orders;
        this.views = views;
    }

    /**
     * Summary of a run.
     *
     * @param epochSeconds median over its epochs; null before the first
     * @param testAccuracy at the last evaluation; null before the first
     */
    public record Outcome(
            RunId run,
            int position,
            RunState state,
            Instant queuedAt,
            @Nullable Double epochSeconds,
            @Nullable Double testAccuracy) {

        static Outcome of(Run run) {
            RunFigures measured = run.measured();
            return new Outcome(
                    RunId.of(run.id()),
                    run.position(),
                    run.state(),
                    run.queuedAt(),
                    measured == null ? null : measured.epochSeconds(),
                    measured == null ? null : measured.testAccuracy());
        }
    }

    /**
     * Returns the newest completed run of each of some configurations of a version, however many
     * runs there are; omits runs that the caller may not see.
     *
     * @param positions of the configurations
     */
    @Transactional(readOnly = true)
    public List<Outcome> newestCompleted(
            Caller.User caller, UUID experiment, int version, Set<Integer> positions) {
        return positions.isEmpty()
                ? List.of()
                : outcomes(caller, runs.findNewestCompleted(experiment, version, positions));
    }

    /**
     * Returns all runs of a version, oldest first; omits runs that the caller may not see.
     *
     * @throws Problem {@code illegal-state} if a run has not ended, or if there are more than
     *     {@link #MAX_RUNS}
     */
    @Transactional(readOnly = true)
    public List<Outcome> all(Caller.User caller, StoredExperiment experiment) {
        List<Outcome> all =
                outcomes(
                        caller,
                        runs.findOfVersion(
                                experiment.id(), experiment.version(), Limit.of(MAX_RUNS + 1)));
        long open = all.stream().filter(it -> !it.state().isTerminal()).count();
        if (open > 0) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "%d runs of the experiment have not ended: wait for them or cancel them"
                            .formatted(open));
        }
        if (all.size() > MAX_RUNS) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The experiment has more than %d runs, the limit of an export: remove some"
                            .formatted(MAX_RUNS));
        }
        return all.stream()
                .sorted(Comparator.comparing(Outcome::queuedAt).thenComparingInt(Outcome::position))
                .toList();
    }

    private static List<Outcome> outcomes(Caller.User caller, List<Run> found) {
        return found.stream()
                .filter(run -> caller.maySee(run.projectId()))
                .map(Outcome::of)
                .toList();
    }

    /**
     * Returns a run with all its figures.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional(readOnly = true)
    public RunView find(Caller.User caller, RunId id) {
        return views.find(caller, id);
    }

    /**
     * Returns the links between the ranks as measured at placement; empty if the placement did not
     * use them.
     */
    @Transactional(readOnly = true)
    public List<MeasuredLink> links(Caller.User caller, RunId id) {
        views.require(caller, id);
        return measurements.findById(id.value()).map(RunMeasurements::links).orElse(List.of());
    }

    /** Returns the execution order of a run; empty if it was not recorded or exceeds the limit. */
    @Transactional(readOnly = true)
    public List<Decided> order(Caller.User caller, RunView run) {
        if (!run.configuration().instrumentation().record()) {
            return List.of();
        }
        List<Decided> order = new ArrayList<>();
        int choices = 0;
        @Nullable Long next = 0L;
        while (next != null) {
            RecordedOrder part = orders.find(caller, run.id(), next);
            order.addAll(part.items());
            choices += part.items().stream().mapToInt(it -> it.choices().size()).sum();
            if (choices > MAX_ORDER) {
                return List.of();
            }
            next = part.next();
        }
        return order;
    }
}
