package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The workers at hand.
 *
 * @param hands in the order in which runs take them
 * @param leftOut in words, those of which too little is known
 */
record Bench(List<Hand> hands, Network network, List<String> leftOut) {

    private static final String IMAGINED = "imagined";

    Bench {
        hands = List.copyOf(hands);
        leftOut = List.copyOf(leftOut);
    }

    /** Whoever it is that plays a virtual lab of which everything is told. */
    static Bench ofAnyWorker(RunConfiguration configuration) {
        return new Bench(
                List.of(handOf(imagined(0, "any worker", IMAGINED, Long.MAX_VALUE), configuration)),
                new Network.Measured(List.of(), List.of()),
                List.of());
    }

    /** A worker that plays a virtual lab of which everything is told. */
    static Hand handOf(LabWorker worker, RunConfiguration configuration) {
        return Hand.told(
                worker,
                Pace.told(
                        configuration.speed(configuration.topology().servers()).orElseThrow(), 0));
    }

    /** A worker that is not there. */
    static LabWorker imagined(int number, String name, String host, long memoryBytes) {
        return new LabWorker(
                WorkerId.of(new UUID(0, number)),
                name,
                WorkerState.IDLE,
                Cordon.OPEN,
                new HostDescription(host, 1, 1, memoryBytes, IMAGINED, IMAGINED, 1),
                Map.of(),
                IMAGINED,
                Set.of(),
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
