package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Finds what is known of workers and of the links between them. */
@Component
class Hands {

    private final SpeedCurves curves;
    private final Links links;

    Hands(SpeedCurves curves, Links links) {
        this.curves = curves;
        this.links = links;
    }

    /** Those whose speeds are known, in the same order. */
    Bench bench(RunConfiguration configuration, List<LabWorker> workers) {
        List<Hand> hands = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (Hand hand : of(configuration, workers)) {
            if (hand.isKnown()) {
                hands.add(hand);
            } else {
                leftOut.add(
                        "worker %s: it has no profile of %s"
                                .formatted(hand.name(), kernel(configuration).label()));
            }
        }
        return new Bench(hands, network(hands), leftOut);
    }

    /**
     * Who runs it.
     *
     * @param workers one for each rank, or one for all
     */
    Crew crew(RunConfiguration configuration, List<LabWorker> workers) {
        List<Hand> hands = of(configuration, workers);
        return new Crew(configuration, hands, network(hands));
    }

    private List<Hand> of(RunConfiguration configuration, List<LabWorker> workers) {
        return workers.stream().map(worker -> of(configuration, worker)).toList();
    }

    private Hand of(RunConfiguration configuration, LabWorker worker) {
        if (configuration.isOnOneWorker() && !configuration.wantsSpeeds()) {
            return Bench.handOf(worker, configuration);
        }
        Map<Load, List<MeasuredPoint>> measured = curves.byLoad(worker, kernel(configuration));
        Map<Load, Pace> paces = new HashMap<>();
        measured.forEach((load, points) -> paces.put(load, Pace.measured(points)));
        return Hand.measured(worker, paces);
    }

    private static Kernel.TrainingStep kernel(RunConfiguration configuration) {
        return new Kernel.TrainingStep(configuration.architecture().name());
    }

    private Network network(List<Hand> hands) {
        List<WorkerId> ids = hands.stream().map(it -> it.worker().id()).toList();
        return new Network.Measured(ids, links.among(ids));
    }
}
