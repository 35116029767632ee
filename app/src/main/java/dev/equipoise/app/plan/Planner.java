package dev.equipoise.app.plan;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.experiment.Alternatives;
import dev.equipoise.app.experiment.Alternatives.Choice;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Learned;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks at what could be done in place of a definition, with the workers that there are. No
 * transaction is open while it simulates.
 */
@Service
class Planner implements DisposableBean {

    private static final int MOST_WAITING = 16;

    private final Workers workers;
    private final Hands hands;
    private final Predictions predictions;
    private final Runs runs;
    private final ComputingThread thread = new ComputingThread("planning", MOST_WAITING);

    Planner(Workers workers, Hands hands, Predictions predictions, Runs runs) {
        this.workers = workers;
        this.hands = hands;
        this.predictions = predictions;
        this.runs = runs;
    }

    /**
     * One plan after the other.
     *
     * @throws dev.equipoise.app.problem.Problem {@code busy} where too many wait
     */
    Plan plan(Caller.User caller, PlanRequest request) {
        return thread.call(() -> planned(caller, request));
    }

    @Override
    public void destroy() {
        thread.close();
    }

    private Plan planned(Caller.User caller, PlanRequest request) {
        RunConfiguration first = request.configurations().getFirst();
        Function<RunConfiguration, Bench> benches = benches(request);
        var calibration = new Calibration(predictions.validated());
        Double target = request.target();
        Map<List<Object>, List<Learned>> learned = new HashMap<>();
        Ranking ranking =
                Ranking.of(
                        request.configurations().stream().filter(it -> !it.isOpen()).toList(),
                        others(request, first, benches.apply(first)),
                        benches,
                        calibration,
                        wanted ->
                                target == null
                                        ? Optional.empty()
                                        : Learning.of(
                                                wanted,
                                                learned.computeIfAbsent(
                                                        List.of(wanted.dataset(), wanted.network()),
                                                        _ -> runs.learned(caller, wanted)),
                                                target));
        return Plan.of(ranking, target, Plan.LabTrust.of(calibration, caller::maySee));
    }

    /** Of the lab that is imagined, or else, looked up once, of the workers that there are. */
    private Function<RunConfiguration, Bench> benches(PlanRequest request) {
        if (request.lab().isPresent()) {
            return _ -> request.lab().get();
        }
        Map<List<Object>, Bench> known = new HashMap<>();
        return wanted ->
                known.computeIfAbsent(
                        List.of(
                                wanted.architecture().name(),
                                wanted.workers().selector(),
                                wanted.execution()),
                        _ -> bench(wanted));
    }

    /** As many replicas as there are workers, or as a virtual lab has. */
    private static Optional<Alternatives> others(
            PlanRequest request, RunConfiguration first, Bench bench) {
        int most = first.isOnOneWorker() ? first.workers().replicas() : bench.hands().size();
        return most == 0
                ? Optional.empty()
                : Optional.of(
                        new Alternatives(
                                definition(request, first), EnumSet.allOf(Choice.class), most));
    }

    /** What is left to the service is written out in what it keeps of the definition. */
    private static ObjectNode definition(PlanRequest request, RunConfiguration first) {
        return Optional.ofNullable(first.automatic())
                .map(RunConfiguration.Automatic::definition)
                .orElseGet(() -> Definition.first(request.definition()));
    }

    /** The live ones that bear the labels, oldest first, and what is known of them. */
    private Bench bench(RunConfiguration configuration) {
        return configuration.isOnOneWorker() && !configuration.wantsSpeeds()
                ? Bench.ofAnyWorker(configuration)
                : hands.bench(
                        configuration,
                        workers.live().stream()
                                .filter(LabWorker::takesWork)
                                .filter(worker ->
                                        worker.matches(configuration.workers().selector()))
                                .toList());
    }
}
