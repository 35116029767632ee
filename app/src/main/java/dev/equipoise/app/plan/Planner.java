package dev.equipoise.app.plan;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.configuration.Automatic;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.experiment.CandidateConfigurations;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.prediction.AccuracyHistory;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.ReachabilityFailure;
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
 * Predicts a definition and alternatives to it on the available workers, and ranks them. It holds
 * no transaction while it simulates.
 */
@Service
class Planner implements DisposableBean {

    private static final int MAX_WAITING = 16;

    private final Workers workers;
    private final CandidateWorkerFinder finder;
    private final Predictions predictions;
    private final Runs runs;
    private final ComputeThread thread = new ComputeThread("planning", MAX_WAITING);

    Planner(Workers workers, CandidateWorkerFinder finder, Predictions predictions, Runs runs) {
        this.workers = workers;
        this.finder = finder;
        this.predictions = predictions;
        this.runs = runs;
    }

    /**
     * Makes a plan; concurrent requests wait for one another.
     *
     * @throws dev.equipoise.app.problem.Problem {@code busy} if too many requests wait
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
        Function<RunConfiguration, CandidateWorkers> candidatesOf = candidateLookup(request);
        var biasCorrection = new BiasCorrection(predictions.validated());
        Double target = request.target();
        Map<List<Object>, List<AccuracyHistory>> histories = new HashMap<>();
        Ranking ranking =
                Ranking.of(
                        request.configurations().stream().filter(it -> !it.isOpen()).toList(),
                        others(request, first, candidatesOf.apply(first)),
                        candidatesOf,
                        biasCorrection,
                        wanted ->
                                target == null
                                        ? Optional.empty()
                                        : EpochsToAccuracy.of(
                                                wanted,
                                                histories.computeIfAbsent(
                                                        List.of(
                                                                wanted.dataset(),
                                                                wanted.network(),
                                                                wanted.initial()
                                                                        .map(Workload.Initial::run),
                                                                wanted.instrumentation()
                                                                        .evaluation()
                                                                        .compared()),
                                                        _ -> runs.learned(caller, wanted)),
                                                target));
        return Plan.of(ranking, target, Plan.LabTrust.of(biasCorrection, caller::maySee));
    }

    /** Looks up the imagined workers, or the live ones, these once for equal requirements. */
    private Function<RunConfiguration, CandidateWorkers> candidateLookup(PlanRequest request) {
        if (request.lab().isPresent()) {
            return _ -> request.lab().get();
        }
        Map<List<Object>, CandidateWorkers> known = new HashMap<>();
        return wanted ->
                known.computeIfAbsent(
                        List.of(
                                wanted.architecture().name(),
                                wanted.workers().selector(),
                                Optional.ofNullable(wanted.folder()),
                                wanted.execution()),
                        _ -> liveCandidates(wanted));
    }

    /** Alternatives with up to as many replicas as there are workers, or virtual ranks. */
    private static Optional<CandidateConfigurations> others(
            PlanRequest request, RunConfiguration first, CandidateWorkers candidates) {
        int maxReplicas =
                first.isOnOneWorker() ? first.workers().replicas() : candidates.workers().size();
        return maxReplicas == 0
                ? Optional.empty()
                : Optional.of(
                        new CandidateConfigurations(
                                definition(request, first),
                                EnumSet.allOf(Choice.class),
                                maxReplicas));
    }

    /** The first definition; automatic choices are those of the stored definition. */
    private static ObjectNode definition(PlanRequest request, RunConfiguration first) {
        return Optional.ofNullable(first.automatic())
                .map(Automatic::definition)
                .orElseGet(() -> Definition.first(request.definition()));
    }

    /**
     * The live workers with the labels of the configuration that can take part in the same run,
     * oldest first, and their speeds.
     */
    private CandidateWorkers liveCandidates(RunConfiguration configuration) {
        if (configuration.isOnOneWorker() && !configuration.wantsSpeeds()) {
            return CandidateWorkers.ofAnyWorker(configuration);
        }
        List<LabWorker> live = workers.live();
        List<LabWorker> eligible =
                live.stream()
                        .filter(LabWorker::takesWork)
                        .filter(worker ->
                                worker.matches(configuration.workers().selector())
                                        && worker.mayHave(configuration.folder()))
                        .toList();
        if (configuration.isOnOneWorker()) {
            return finder.candidates(configuration, eligible);
        }
        List<LabWorker> reachable = Workers.reachable(eligible, live);
        return finder.candidates(configuration, reachable)
                .alsoWithout(outOfReach(eligible, reachable, live));
    }

    /** Tells for each worker that cannot take part in a run with the others why. */
    private static List<String> outOfReach(
            List<LabWorker> eligible, List<LabWorker> reachable, List<LabWorker> live) {
        if (reachable.size() == eligible.size()) {
            return List.of();
        }
        List<ReachabilityFailure> failures = Workers.reachabilityFailures(eligible, live);
        return eligible.stream()
                .filter(worker -> !reachable.contains(worker))
                .flatMap(worker ->
                        failures.stream()
                                .filter(it -> it.isOf(worker.id()))
                                .limit(1)
                                .map(it -> "worker %s: %s".formatted(worker.name(), it.message())))
                .toList();
    }
}
