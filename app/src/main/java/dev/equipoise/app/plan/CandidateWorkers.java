package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
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
import java.util.stream.Stream;

/**
 * The workers among which a plan chooses, and the links between them.
 *
 * @param workers in the order in which runs take them
 * @param leftOut messages about excluded workers
 */
record CandidateWorkers(List<CandidateWorker> workers, LinkModel linkModel, List<String> leftOut) {

    private static final String IMAGINED = "imagined";

    CandidateWorkers {
        workers = List.copyOf(workers);
        leftOut = List.copyOf(leftOut);
    }

    /** A placeholder worker for a virtual run that specifies its own speeds. */
    static CandidateWorkers ofAnyWorker(RunConfiguration configuration) {
        return new CandidateWorkers(
                List.of(
                        candidateOf(
                                imagined(0, "any worker", IMAGINED, Long.MAX_VALUE),
                                configuration)),
                new LinkModel.Measured(List.of(), List.of()),
                List.of());
    }

    /** These workers with messages about further excluded ones. */
    CandidateWorkers alsoWithout(List<String> others) {
        return others.isEmpty()
                ? this
                : new CandidateWorkers(
                        workers,
                        linkModel,
                        Stream.concat(leftOut.stream(), others.stream()).toList());
    }

    /** A worker for a virtual run that specifies its own speeds. */
    static CandidateWorker candidateOf(LabWorker worker, RunConfiguration configuration) {
        return CandidateWorker.specified(
                worker,
                StepTimeModel.specified(
                        configuration.speed(configuration.topology().servers()).orElseThrow(), 0));
    }

    /** A worker that a plan request describes and that need not exist. */
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
