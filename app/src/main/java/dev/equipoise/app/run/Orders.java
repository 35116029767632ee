package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The order of events of runs that were recorded, and the runs that repeat them. */
@Service
public class Orders {

    /** Half a megabyte at most. */
    private static final Limit PARTS_AT_ONCE = Limit.of(10);

    private static final String RUN = "/execution/run";

    private final RunRepository runs;
    private final ReplicaRepository replicas;
    private final OrderPartRepository parts;

    Orders(RunRepository runs, ReplicaRepository replicas, OrderPartRepository parts) {
        this.runs = runs;
        this.replicas = replicas;
        this.parts = parts;
    }

    /**
     * A part of the order of a run, as far as it has been told.
     *
     * @param after the {@code next} of the part before; 0 for the first
     * @throws Problem {@code not-found} where there is no such run, {@code not-recorded} where its
     *     definition asks for no record
     */
    @Transactional(readOnly = true)
    RecordedOrder find(Caller.User caller, RunId id, long after) {
        Run run =
                runs.findById(id.value())
                        .filter(it -> caller.maySee(it.projectId()))
                        .orElseThrow(() -> Problem.notFound("run", id));
        if (!run.configuration().record()) {
            throw Problem.of(
                    ErrorCode.NOT_RECORDED,
                    "Run %s has no record, as its definition does not say record: true"
                            .formatted(id));
        }
        return part(run.id(), after);
    }

    /**
     * A part of the order that a run repeats.
     *
     * @throws Problem {@code not-found} where it repeats none
     */
    @Transactional(readOnly = true)
    public RecordedOrder findRepeated(RunId id, long after) {
        RunId repeated =
                runs.findById(id.value())
                        .flatMap(run -> run.configuration().repeats())
                        .orElseThrow(() -> Problem.notFound("order to repeat of run", id));
        return part(repeated.value(), after);
    }

    private RecordedOrder part(UUID run, long after) {
        List<OrderPart> some =
                parts.findByRunIdAndIdGreaterThanOrderById(run, after, PARTS_AT_ONCE);
        return new RecordedOrder(
                some.stream().map(OrderPart::decided).toList(),
                some.size() < PARTS_AT_ONCE.max() ? null : some.getLast().id());
    }

    /** The shares of all ranks of the run that is repeated; none of a run that repeats none. */
    @Transactional(readOnly = true)
    public Optional<List<Integer>> sharesToRepeat(RunConfiguration configuration) {
        return configuration
                .repeats()
                .map(run ->
                        replicas.findByKeyRunIdOrderByKeyRank(run.value()).stream()
                                .map(Replica::share)
                                .toList());
    }

    /**
     * Makes sure that what a configuration repeats is there, and is what it repeats.
     *
     * @param project of the run that would repeat it
     * @throws Problem {@code invalid-definition}
     */
    @Transactional(readOnly = true)
    void requireRepeatable(RunConfiguration configuration, UUID project) {
        if (configuration.execution() instanceof Execution.Replay(RunId id)) {
            List<Violation> violations = new ArrayList<>();
            runs.findById(id.value())
                    .filter(run -> run.projectId().equals(project))
                    .ifPresentOrElse(
                            run -> check(configuration, run, violations),
                            () ->
                                    violations.add(
                                            new Violation(
                                                    RUN, "must be a run of this project", id)));
            if (!violations.isEmpty()) {
                throw Problem.of(ErrorCode.INVALID_DEFINITION, violations);
            }
        }
    }

    private static void check(
            RunConfiguration configuration, Run recorded, List<Violation> violations) {
        if (!recorded.configuration().record()) {
            violations.add(
                    new Violation(RUN, "must be a run that said record: true", recorded.id()));
        }
        if (recorded.state() != RunState.COMPLETED) {
            violations.add(
                    new Violation(
                            RUN,
                            "must be a completed run, but it is " + recorded.state(),
                            recorded.id()));
        }
        for (String field : configuration.differencesTo(recorded.configuration())) {
            violations.add(
                    new Violation(
                            "/" + field,
                            "must be as in the run that is repeated, /execution/run",
                            null));
        }
        if (violations.isEmpty() && recorded.rounds() != configuration.rounds()) {
            violations.add(
                    new Violation(
                            RUN,
                            "must be a run of %d rounds an epoch, but had %d"
                                    .formatted(configuration.rounds(), recorded.rounds()),
                            recorded.id()));
        }
    }
}
