package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
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

/** The runs of an experiment, for those who take what they came to elsewhere. */
@Service
public class FinishedRuns {

    /** No more runs of one experiment are taken elsewhere at once. */
    public static final int MOST = 1000;

    /** Of an order that is longer nothing is told: it is of use as a whole alone. */
    private static final int LONGEST_ORDER = 200_000;

    private final RunRepository runs;
    private final RunMeasurementsRepository measurements;
    private final Orders orders;
    private final Runs views;

    FinishedRuns(
            RunRepository runs, RunMeasurementsRepository measurements, Orders orders, Runs views) {
        this.runs = runs;
        this.measurements = measurements;
        this.orders = orders;
        this.views = views;
    }

    /**
     * What a run came to, in short.
     *
     * @param epochSeconds median over its epochs; null before the first
     * @param testAccuracy when the test set was last looked at; null before
     */
    public record Outcome(
            RunId run,
            int position,
            RunState state,
            Instant queuedAt,
            @Nullable Double epochSeconds,
            @Nullable Double testAccuracy) {

        static Outcome of(Run run) {
            Measured measured = run.measured();
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
     * Of each of some configurations of a version the newest run that completed, whatever number of
     * runs there are; none of another's experiment.
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
     * All runs of a version, the first first; none of another's experiment.
     *
     * @throws Problem {@code illegal-state} while one of them is not over, and where there are more
     *     than can be taken elsewhere
     */
    @Transactional(readOnly = true)
    public List<Outcome> all(Caller.User caller, StoredExperiment experiment) {
        List<Outcome> all =
                outcomes(
                        caller,
                        runs.findByExperimentIdAndExperimentVersionOrderByQueuedAtDescPositionAsc(
                                experiment.id(), experiment.version(), Limit.of(MOST + 1)));
        long open = all.stream().filter(it -> !it.state().isTerminal()).count();
        if (open > 0) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "%d of the experiment's runs are not over: wait for them, or cancel them"
                            .formatted(open));
        }
        if (all.size() > MOST) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The experiment has more than %d runs, which is the most that is taken elsewhere"
                            .formatted(MOST));
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
     * One with all that is known of it.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional(readOnly = true)
    public RunView find(Caller.User caller, RunId id) {
        return views.find(caller, id);
    }

    /** What the links between its ranks cost, where that was looked at when it was placed. */
    @Transactional(readOnly = true)
    public List<MeasuredLink> links(Caller.User caller, RunId id) {
        views.require(caller, id);
        return measurements.findById(id.value()).map(RunMeasurements::links).orElse(List.of());
    }

    /** What chance decided in it; nothing where it was not recorded, or the record is huge. */
    @Transactional(readOnly = true)
    public List<Decided> order(Caller.User caller, RunView run) {
        if (!run.configuration().record()) {
            return List.of();
        }
        List<Decided> order = new ArrayList<>();
        int choices = 0;
        @Nullable Long next = 0L;
        while (next != null) {
            RecordedOrder part = orders.find(caller, run.id(), next);
            order.addAll(part.items());
            choices += part.items().stream().mapToInt(it -> it.choices().size()).sum();
            if (choices > LONGEST_ORDER) {
                return List.of();
            }
            next = part.next();
        }
        return order;
    }
}
