package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.telemetry.OrderStore;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Execution orders of recorded runs, and checks of the runs that replay them. */
@Service
public class ExecutionOrders {

    private static final String RUN = "/execution/run";

    private final RunRepository runs;
    private final RunRankRepository runRanks;
    private final OrderStore store;

    ExecutionOrders(RunRepository runs, RunRankRepository runRanks, OrderStore store) {
        this.runs = runs;
        this.runRanks = runRanks;
        this.store = store;
    }

    /**
     * Returns a page of the execution order of a run, as far as agents have reported it.
     *
     * @param after the {@code next} of the page before; 0 for the first
     * @throws Problem {@code not-found} if the run does not exist, {@code not-recorded} if its
     *     definition does not say {@code record: true}
     */
    @Transactional(readOnly = true)
    public RecordedOrder find(Caller.User caller, RunId id, long after) {
        Run run =
                runs.findById(id.value())
                        .filter(it -> caller.maySee(it.projectId()))
                        .orElseThrow(() -> Problem.notFound("run", id));
        if (!run.configuration().instrumentation().record()) {
            throw Problem.of(
                    ErrorCode.NOT_RECORDED,
                    "Run %s has no execution order: its definition does not say record: true"
                            .formatted(id));
        }
        return store.page(run.id(), after);
    }

    /**
     * Returns a page of the execution order that a run replays.
     *
     * @throws Problem {@code not-found} if it replays none
     */
    @Transactional(readOnly = true)
    public RecordedOrder findRepeated(RunId id, long after) {
        RunId replayed =
                runs.findById(id.value())
                        .flatMap(run -> run.configuration().repeats())
                        .orElseThrow(
                                () -> Problem.notFound("execution order to replay of run", id));
        return store.page(replayed.value(), after);
    }

    /**
     * Returns the shares of all ranks of the replayed run; empty if the configuration replays none.
     */
    @Transactional(readOnly = true)
    public Optional<List<Integer>> sharesToRepeat(RunConfiguration configuration) {
        return configuration
                .repeats()
                .map(run ->
                        runRanks.findByKeyRunIdOrderByKeyRank(run.value()).stream()
                                .map(RunRank::share)
                                .toList());
    }

    /**
     * Checks that the run that a configuration replays is a completed, recorded run of the project
     * with the same configuration.
     *
     * @param project project of the run that would replay it
     * @throws Problem {@code invalid-definition} if it is not
     */
    @Transactional(readOnly = true)
    void requireRepeatable(RunConfiguration configuration, UUID project) {
        if (configuration.execution() instanceof Execution.Replay(RunId id)) {
            List<Violation> violations = new ArrayList<>();
            runs.findById(id.value())
                    .filter(run -> run.projectId().equals(project))
                    .ifPresentOrElse(
                            run -> check(configuration, run, violations),
                            () -> violations.add(notOfProject(id)));
            if (!violations.isEmpty()) {
                throw Problem.of(ErrorCode.INVALID_DEFINITION, violations);
            }
        }
    }

    private static Violation notOfProject(RunId id) {
        return new Violation(RUN, "must be a run of this project", id);
    }

    private static void check(
            RunConfiguration configuration, Run recorded, List<Violation> violations) {
        if (!recorded.configuration().instrumentation().record()) {
            violations.add(new Violation(RUN, "must be a run with record: true", recorded.id()));
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
                            "/" + field, "must be as in the replayed run, /execution/run", null));
        }
        if (violations.isEmpty() && recorded.rounds() != configuration.rounds()) {
            violations.add(
                    new Violation(
                            RUN,
                            "must be a run of %d rounds an epoch, but has %d"
                                    .formatted(configuration.rounds(), recorded.rounds()),
                            recorded.id()));
        }
    }
}
