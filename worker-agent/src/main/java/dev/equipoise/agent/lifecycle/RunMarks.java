package dev.equipoise.agent.lifecycle;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunId;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds run and generation of an assignment as fields to the log lines of this thread, until closed.
 */
final class RunMarks implements AutoCloseable {

    private static final String RUN = "run";
    private static final String GENERATION = "generation";

    private RunMarks() {}

    static RunMarks of(Assignment assignment) {
        RunId run = run(assignment);
        if (run != null) {
            MDC.put(RUN, run.toString());
            MDC.put(GENERATION, Integer.toString(assignment.generation()));
        }
        return new RunMarks();
    }

    private static @Nullable RunId run(Assignment assignment) {
        return switch (assignment) {
            case Assignment.Training share -> share.run();
            case Assignment.Simulation whole -> whole.run();
            case Assignment.Profiling _, Assignment.LinkProfiling _ -> null;
        };
    }

    @Override
    public void close() {
        MDC.remove(RUN);
        MDC.remove(GENERATION);
    }
}
