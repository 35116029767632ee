package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.CheckpointsAtService;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.service.ModelsAtService;
import dev.equipoise.agent.service.Reporter;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.trace.RankTrace;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunReport;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes assignments one after the other on the compute thread, and reports them to the service.
 * An execution ends early when the service revokes the assignment, or when the calling thread is
 * interrupted because the agent leaves.
 */
final class AssignmentExecutor {

    private static final Logger log = LoggerFactory.getLogger(AssignmentExecutor.class);

    /**
     * Time for which the last event is repeated; by then an absent service has reassigned the work.
     */
    private static final Duration REPORT_TIMEOUT = Duration.ofHours(1);

    private static final Duration REPORT_TIMEOUT_WHEN_LEAVING = Duration.ofSeconds(3);

    private static final Outcome DRAINED =
            new Outcome.Failed(FailureCause.WORKER, "worker-drained", "the worker is leaving");

    /** Event of a revoked assignment, which is never reported. */
    private static final Outcome REVOKED =
            new Outcome.Failed(
                    FailureCause.WORKER, "revoked", "the service revoked the assignment");

    private final ServiceClient service;
    private final Journals journals;
    private final AssignmentRunners runners;
    private final ExecutorService computeThread;
    private final ExecutorService threads;
    private final Time time;
    private final AgentObservers observers;
    private final Lock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private boolean busy;

    AssignmentExecutor(
            ServiceClient service,
            Journals journals,
            AssignmentRunners runners,
            ExecutorService computeThread,
            ExecutorService threads,
            Time time,
            AgentObservers observers) {
        this.service = service;
        this.journals = journals;
        this.runners = runners;
        this.computeThread = computeThread;
        this.threads = threads;
        this.time = time;
        this.observers = observers;
    }

    /**
     * Executes an assignment, and returns when the service knows its end.
     *
     * @param leaving reports to the service that the agent leaves, before the end of the assignment
     *     is reported, so that the service does not assign it to this agent again
     */
    void perform(Assignment assignment, Leaving leaving) throws InterruptedException {
        setBusy(true);
        try (RunMarks _ = RunMarks.of(assignment)) {
            log.info("leased {}", describe(assignment));
            execute(assignment, leaving);
        } finally {
            setBusy(false);
        }
    }

    /**
     * Runs an action unless an assignment is being executed; none starts meanwhile. Any thread may
     * call.
     */
    void whenIdle(Runnable action) {
        lock.lock();
        try {
            if (!busy) {
                action.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Action that runs before the end of the assignment is reported when the agent leaves. */
    @FunctionalInterface
    interface Leaving {
        void report() throws InterruptedException;
    }

    private void setBusy(boolean now) {
        lock.lock();
        try {
            busy = now;
        } finally {
            lock.unlock();
        }
    }

    private void execute(Assignment assignment, Leaving leaving) throws InterruptedException {
        var reply = new AtomicReference<>(ReportReply.NONE);
        RankTrace trace = observers.tracer().begin(assignment);
        Reporter reporter =
                Reporter.start(
                        service.journal(journals, assignment),
                        report -> reply.set(service.report(assignment.id(), report)),
                        ExponentialBackoff.DEFAULT,
                        time,
                        task -> threads.execute(() -> withRunMarks(assignment, task)));
        observers.status().reportsWaiting(reporter::waiting);
        Future<Outcome> work =
                computeThread.submit(() -> work(assignment, reporter::report, reply::get, trace));
        reporter.whenRevoked(() -> work.cancel(true));
        try {
            Outcome last = outcome(work);
            trace.end(last);
            reportEnd(reporter, last, REPORT_TIMEOUT);
        } catch (InterruptedException e) {
            work.cancel(true);
            trace.end(DRAINED);
            leaving.report();
            reportEnd(reporter, DRAINED, REPORT_TIMEOUT_WHEN_LEAVING);
            throw e;
        }
    }

    private static void withRunMarks(Assignment assignment, Runnable task) {
        try (RunMarks _ = RunMarks.of(assignment)) {
            task.run();
        }
    }

    private Outcome work(
            Assignment assignment,
            Consumer<AgentEvent> events,
            Supplier<ReportReply> reply,
            RankTrace trace)
            throws InterruptedException {
        try (RunMarks _ = RunMarks.of(assignment)) {
            return workOn(assignment, events, reply, trace);
        }
    }

    private Outcome workOn(
            Assignment assignment,
            Consumer<AgentEvent> events,
            Supplier<ReportReply> reply,
            RankTrace trace)
            throws InterruptedException {
        switch (assignment) {
            case Assignment.Profiling profiling ->
                    runners.profiler().run(profiling, events::accept);
            case Assignment.LinkProfiling links ->
                    runners.linkProfiler().run(links, events::accept);
            case Assignment.Training training -> {
                var notes = new RunNotes(training.rank(), events, trace::passed);
                Consumer<RunReport> reports = events::accept;
                return runners.training()
                        .run(
                                training,
                                reports.andThen(observers.listener()).andThen(trace::heard),
                                notes,
                                checkpoints(training, notes, reply),
                                models(training, notes));
            }
            case Assignment.Simulation run ->
                    runners.simulation().run(run, events::accept, models(run, events));
        }
        return new Outcome.Finished();
    }

    private @Nullable Checkpoints checkpoints(
            Assignment.Training training, RunNotes notes, Supplier<ReportReply> reply) {
        Checkpointing checkpointing = training.checkpointing();
        return checkpointing == null
                ? null
                : new CheckpointsAtService(service, training, checkpointing, notes, reply, time);
    }

    private @Nullable ModelStore models(Assignment.Training training, RunNotes notes) {
        ModelInstructions instructions = training.model();
        return instructions == null
                ? null
                : new ModelsAtService(
                        service,
                        training.id(),
                        training.run(),
                        training.plan(),
                        instructions,
                        notes,
                        time);
    }

    private @Nullable ModelStore models(Assignment.Simulation run, Consumer<AgentEvent> events) {
        ModelInstructions instructions = run.model();
        return instructions == null
                ? null
                : new ModelsAtService(
                        service,
                        run.id(),
                        run.run(),
                        run.plan(),
                        instructions,
                        new RunNotes(0, events),
                        time);
    }

    private static Outcome outcome(Future<Outcome> work) throws InterruptedException {
        try {
            return work.get();
        } catch (CancellationException e) {
            return REVOKED;
        } catch (ExecutionException e) {
            return failure(e.getCause());
        }
    }

    private static Outcome failure(@Nullable Throwable cause) {
        if (cause instanceof AssignmentFailed failed) {
            return failed.toEvent();
        }
        if (cause instanceof OutOfMemoryError) {
            return new Outcome.Failed(
                    FailureCause.WORKER,
                    "out-of-memory",
                    "this worker has too little memory for the network and the mini-batch: "
                            + cause.getMessage());
        }
        log.error("assignment failed with an unexpected error", cause);
        return new Outcome.Failed(FailureCause.WORKER, "internal-error", String.valueOf(cause));
    }

    /**
     * Reports the last event. The reporter ignores any later event, so a second call changes
     * nothing.
     */
    private static void reportEnd(Reporter reporter, Outcome last, Duration timeout)
            throws InterruptedException {
        reporter.report(last);
        boolean isReported = reporter.close(timeout);
        if (!reporter.revoked()) {
            log.info(
                    "{}{}",
                    describe(last),
                    isReported ? "" : ", but the service has not confirmed it");
        }
    }

    private static String describe(Assignment assignment) {
        return switch (assignment) {
            case Assignment.Profiling profiling ->
                    "profiling: "
                            + profiling.measurements().stream()
                                    .map(each -> each.kernel().label())
                                    .collect(Collectors.joining(", "));
            case Assignment.LinkProfiling links ->
                    "link profiling: rank %d of %d in measurement %s"
                            .formatted(links.rank(), links.peers().size(), links.measurement());
            case Assignment.Simulation run ->
                    "simulation: all %d ranks of run %s"
                            .formatted(run.plan().division().ranks(), run.run());
            case Assignment.Training training ->
                    "training: rank %d of %d in run %s"
                            .formatted(training.rank(), training.peers().size(), training.run());
        };
    }

    private static String describe(Outcome last) {
        return switch (last) {
            case Outcome.Failed failed ->
                    "failed: %s: %s".formatted(failed.code(), failed.message());
            case Outcome.Interrupted interrupted ->
                    interrupted.missing().isEmpty()
                            ? "suspended"
                            : "suspended: lost contact with ranks %s"
                                    .formatted(interrupted.missing());
            case Outcome.Preempted preempted ->
                    "preempted after epoch %d".formatted(preempted.epoch());
            case Outcome.Finished _ -> "finished";
        };
    }
}
