package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Ranking.Ranked;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.Learned;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Chooses what a definition leaves to the service. */
@Service
public class Choosing {

    private final Profiles profiles;
    private final Links links;
    private final Predictions predictions;
    private final Runs runs;

    Choosing(Profiles profiles, Links links, Predictions predictions, Runs runs) {
        this.profiles = profiles;
        this.links = links;
        this.predictions = predictions;
        this.runs = runs;
    }

    /**
     * What was chosen.
     *
     * @param configuration in which everything is told, with the reason
     * @param workers one for each rank, or one for all
     */
    public record Chosen(RunConfiguration configuration, List<LabWorker> workers) {

        public Chosen {
            workers = List.copyOf(workers);
        }
    }

    /**
     * The best of all that the definition may become on some of the workers.
     *
     * @param project of the run, whose earlier runs tell how many epochs a way takes
     * @param workers that are idle and profiled; a virtual run takes one of them
     * @return empty where there is nothing that fits them
     */
    public Optional<Chosen> choose(UUID project, RunConfiguration open, List<LabWorker> workers) {
        Bench bench = bench(open, workers);
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
        return new Chosen(
                open.chosen(
                        best.alternative(),
                        "best of %d ways on %d workers: %s %s"
                                .formatted(
                                        ways, workers, Wording.advice(best), Wording.reason(best))),
                best.crew().workers());
    }

    private Bench bench(RunConfiguration open, List<LabWorker> workers) {
        var kernel = new Kernel.TrainingStep(open.architecture().name());
        List<Hand> hands = new ArrayList<>();
        for (List<LabWorker> company : Workers.byMachine(workers)) {
            for (LabWorker worker : company) {
                List<MeasuredPoint> points = profiles.nearest(worker, kernel, Load.of(company));
                if (!points.isEmpty()) {
                    hands.add(new Hand(worker, Pace.measured(points)));
                } else if (open.isOnOneWorker() && !open.wantsSpeeds()) {
                    hands.add(Bench.handOf(worker, open));
                }
            }
        }
        List<WorkerId> ids = hands.stream().map(it -> it.worker().id()).toList();
        return new Bench(hands, new Network.Measured(ids, links.among(ids)), List.of());
    }
}
