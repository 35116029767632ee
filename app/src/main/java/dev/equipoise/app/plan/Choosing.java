package dev.equipoise.app.plan;

import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.computing.Meanwhile;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Learned;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.worker.LabWorker;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

/** Chooses what a definition leaves to the service. */
@Service
public class Choosing implements DisposableBean {

    private final Hands hands;
    private final Predictions predictions;
    private final Runs runs;
    private final ComputingThread thread = new ComputingThread("choosing", 1);

    Choosing(Hands hands, Predictions predictions, Runs runs) {
        this.hands = hands;
        this.predictions = predictions;
        this.runs = runs;
    }

    /**
     * What was chosen.
     *
     * @param configuration in which everything is told, with the reason
     * @param seating who does it
     */
    public record Chosen(RunConfiguration configuration, Seating seating) {}

    /**
     * The best of all that the definition may become on some of the workers.
     *
     * @param project of the run, whose earlier runs tell how many epochs a way takes
     * @param workers that are idle and profiled; a virtual run takes one of them
     * @param meanwhile what the caller does as long as nothing is chosen
     * @return empty where there is nothing that fits them
     */
    public Optional<Chosen> choose(
            UUID project, RunConfiguration open, List<LabWorker> workers, Meanwhile meanwhile) {
        return thread.call(() -> chosen(project, open, workers), meanwhile);
    }

    /**
     * How the ranks of a run share hidden units.
     *
     * @param meanwhile what the caller does as long as that is not known
     */
    public Hybrid groups(HybridSeating seating, Meanwhile meanwhile) {
        return thread.call(seating::hybrid, meanwhile);
    }

    @Override
    public void destroy() {
        thread.close();
    }

    private Optional<Chosen> chosen(UUID project, RunConfiguration open, List<LabWorker> workers) {
        Bench bench = hands.bench(open, workers);
        Double target = PlanRequest.target(open);
        List<Learned> learned = target == null ? List.of() : runs.learnedWithin(project, open);
        Ranking ranking =
                Ranking.of(
                        List.of(),
                        open.alternatives(bench.hands().size()),
                        _ -> bench,
                        new Calibration(predictions.validated()),
                        wanted ->
                                target == null
                                        ? Optional.empty()
                                        : Learning.of(wanted, learned, target));
        return ranking.entries().stream()
                .findFirst()
                .map(best -> chosen(open, best, ranking.entries().size(), workers.size()));
    }

    private static Chosen chosen(RunConfiguration open, Ranked best, int ways, int workers) {
        RunConfiguration chosen =
                open.chosen(
                        best.alternative(),
                        "best of %d ways on %d workers: %s %s%s"
                                .formatted(
                                        ways,
                                        workers,
                                        Wording.advice(best),
                                        Wording.reason(best),
                                        Wording.inDoubt(best)));
        return new Chosen(chosen, best.crew().with(chosen).seating());
    }
}
