package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Report;
import java.util.List;

/** What a simulated agent tells of its assignment, numbered as agents do. One thread uses it. */
final class Reporting {

    private static final int CONFLICT = 409;

    private final Api api;
    private final Assignment assignment;
    private long next = 1;

    Reporting(Api api, Assignment assignment) {
        this.api = api;
        this.assignment = assignment;
    }

    /** Whether the service has taken it; where it has not, the work is the agent's no more. */
    boolean tell(AgentEvent... events) throws InterruptedException {
        int status =
                api.tell(
                        "assignments/%s/events".formatted(assignment.id()),
                        new Report(assignment.generation(), next, List.of(events)));
        if (status == CONFLICT) {
            return false;
        }
        if (status / 100 != 2) {
            throw new BenchFailed("a report was answered with " + status);
        }
        next += events.length;
        return true;
    }
}
