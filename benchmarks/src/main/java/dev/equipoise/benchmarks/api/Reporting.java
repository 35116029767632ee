package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Report;
import java.util.List;

/** Reports events of an assignment with the sequence numbers of an agent. Not thread-safe. */
final class Reporting {

    private static final int CONFLICT = 409;

    private final Api api;
    private final Assignment assignment;
    private long next = 1;

    Reporting(Api api, Assignment assignment) {
        this.api = api;
        this.assignment = assignment;
    }

    /**
     * Reports events and returns whether the service accepted them; otherwise the agent has lost
     * the assignment.
     */
    boolean report(AgentEvent... events) throws InterruptedException {
        int status =
                api.postForStatus(
                        "assignments/%s/events".formatted(assignment.id()),
                        new Report(assignment.generation(), next, List.of(events)));
        if (status == CONFLICT) {
            return false;
        }
        if (status / 100 != 2) {
            throw new BenchFailed(
                    "a report of assignment %s was answered with %d"
                            .formatted(assignment.id(), status));
        }
        next += events.length;
        return true;
    }
}
