package dev.equipoise.agent;

import dev.equipoise.agent.profile.Profiler;
import dev.equipoise.agent.replica.Training;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.Reporter;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does one assignment after the other, each on the compute thread, and tells the service of it.
 * Work is given up when the assignment is revoked, or when the thread that asked for it is
 * interrupted because the agent leaves.
 */
final class Workbench {

    private static final Logger log = LoggerFactory.getLogger(Workbench.class);

    /** A service that is away for longer than this has given the assignment to somebody else. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration PATIENCE_WHEN_LEAVING = Duration.ofSeconds(3);

    private final ServiceClient service;
    private final Profiler profiler;
    private final Training training;
    private final ExecutorService computeThread;
    private final ExecutorService threads;
    private final Time time;

    Workbench(
            ServiceClient service,
            Profiler profiler,
            Training training,
            ExecutorService computeThread,
            ExecutorService threads,
            Time time) {
        this.service = service;
        this.profiler = profiler;
        this.training = training;
        this.computeThread = computeThread;
        this.threads = threads;
        this.time = time;
    }

    /** Returns when the service knows how it ended. */
    void perform(Assignment assignment) throws InterruptedException {
        log.info("leased {}", describe(assignment));
        Reporter reporter =
                Reporter.start(
                        assignment.generation(),
                        report -> service.report(assignment.id(), report),
                        BackOff.DEFAULT,
                        time,
                        threads);
        Future<?> work = computeThread.submit(() -> work(assignment, reporter::report));
        reporter.whenRevoked(() -> work.cancel(true));
        try {
            conclude(assignment, result(work), reporter);
        } catch (InterruptedException e) {
            work.cancel(true);
            conclude(assignment, drained(), reporter, PATIENCE_WHEN_LEAVING);
            throw e;
        }
    }

    private void conclude(Assignment assignment, AgentEvent last, Reporter reporter)
            throws InterruptedException {
        conclude(assignment, last, reporter, PATIENCE);
    }
}
