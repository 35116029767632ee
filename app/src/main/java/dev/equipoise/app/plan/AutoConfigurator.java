package dev.equipoise.app.plan;

import dev.equipoise.app.allocation.Allocator;
import dev.equipoise.app.allocation.HybridAllocator;
import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.computing.WaitCallback;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.CandidateConfigurations;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.prediction.AccuracyHistory;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.worker.LabWorker;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

/** Replaces each {@code auto} of a definition by the best choice of a ranking. */
@Service
public class AutoConfigurator implements DisposableBean {

    private final CandidateWorkerFinder finder;
    private final Predictions predictions;
    private final Runs runs;
    private final ComputeThread thread = new ComputeThread("automatic configuration", 1);

    AutoConfigurator(CandidateWorkerFinder finder, Predictions predictions, Runs runs) {
        this.finder = finder;
        this.predictions = predictions;
        this.runs = runs;
    }

    /**
     * The chosen configuration and its allocation.
     *
     * @param configuration the complete configuration, with the reason of the choice
     * @param allocator the allocator of its ranks
     */
    public record Chosen(RunConfiguration configuration, Allocator allocator) {}

    /**
     * Chooses the best configuration on some of the workers.
     *
     * @param project the project whose earlier runs give the epochs to accuracy
     * @param workers idle and profiled workers; a virtual run takes one of them
     * @param meanwhile called periodically during the choice
     * @return empty if no configuration fits the workers
     */
    public Optional<Chosen> choose(
            UUID project, RunConfiguration open, List<LabWorker> workers, WaitCallback meanwhile) {
        return thread.call(() -> chosen(project, open, workers), meanwhile);
    }

    /**
     * Computes the groups of a run with hybrid parallelism.
     *
     * @param meanwhile called periodically during the computation
     */
    public HybridAllocationView groups(HybridAllocator allocator, WaitCallback meanwhile) {
        return thread.call(allocator::hybrid, meanwhile);
    }

    @Override
    public void destroy() {
        thread.close();
    }

    private Optional<Chosen> chosen(UUID project, RunConfiguration open, List<LabWorker> workers) {
        Ranking ranking = ranking(project, open, finder.candidates(open, workers));
        return ranking.ties().stream()
                .findFirst()
                .map(tied -> chosen(open, tied, ranking.entries().size(), workers.size()));
    }

    private Ranking ranking(UUID project, RunConfiguration open, CandidateWorkers candidates) {
        Double target = PlanRequest.target(open);
        List<AccuracyHistory> histories =
                target == null ? List.of() : runs.learnedWithin(project, open);
        return Ranking.of(
                List.of(),
                CandidateConfigurations.of(open, candidates.workers().size()),
                _ -> candidates,
                new BiasCorrection(predictions.validated()),
                wanted ->
                        target == null
                                ? Optional.empty()
                                : EpochsToAccuracy.of(wanted, histories, target));
    }

    private static Chosen chosen(
            RunConfiguration open, List<Ranked> tied, int configurations, int workers) {
        Ranked best = tied.getFirst();
        RunConfiguration chosen =
                best.alternative()
                        .chosenFor(
                                open,
                                "first of %d configurations on %d workers: %s %s%s"
                                        .formatted(
                                                configurations,
                                                workers,
                                                PlanExplanation.advice(tied),
                                                PlanExplanation.reason(best),
                                                PlanExplanation.uncertainty(best)));
        return new Chosen(chosen, best.candidate().with(chosen).allocator());
    }
}
