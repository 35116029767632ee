package dev.equipoise.agent;

import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.link.LinkProfiler;
import dev.equipoise.agent.profile.Profiler;
import dev.equipoise.agent.replica.Simulation;
import dev.equipoise.agent.replica.Training;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.CheckpointsAtService;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.service.Notes;
import dev.equipoise.agent.service.Reporter;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.trace.RankTrace;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.ReportReply;
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
 * Does one assignment after the other, each on the compute thread, and tells the service of it.
 * Work is given up when the assignment is revoked, or when the thread that asked for it is
 * interrupted because the agent leaves.
 */
final class Workbench {

    private static final Logger log = LoggerFactory.getLogger(Workbench.class);

    /** A service that is away for longer than this has given the assignment to somebody else. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration PATIENCE_WHEN_LEAVING = Duration.ofSeconds(3);

    private static final AgentEvent DRAINED =
            new AgentEvent.Failed(FailureCause.WORKER, "worker-drained", "the worker is leaving");

    /** Told to nobody: a service that has taken an assignment back hears no more of it. */
    private static final AgentEvent REVOKED =
            new AgentEvent.Failed(FailureCause.WORKER, "revoked", "the service took it back");

    private final ServiceClient service;
    private final Journals journals;
    private final Profiler profiler;
    private final LinkProfiler linkProfiler;
    private final Training training;
    private final Simulation simulation;
    private final ExecutorService computeThread;
    private final ExecutorService threads;
    private final Time time;
    private final Watchers watchers;
    private final Lock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private boolean busy;

    Workbench(
            ServiceClient service,
            Journals journals,
            Profiler profiler,
            LinkProfiler linkProfiler,
            Training training,
            Simulation simulation,
            ExecutorService computeThread,
            ExecutorService threads,
            Time time,
            Watchers watchers) {
        this.service = service;
        this.journals = journals;
        this.profiler = profiler;
        this.linkProfiler = linkProfiler;
        this.training = training;
        this.simulation = simulation;
        this.computeThread = computeThread;
        this.threads = threads;
        this.time = time;
        this.watchers = watchers;
    }

    /**
     * Returns when the service knows how it ended.
     *
     * @param leaving tells the service that the agent leaves, before it hears that the assignment
     *     is given up, so that it does not give it to this agent again
     */
    void perform(Assignment assignment, Leaving leaving) throws InterruptedException {
        setBusy(true);
        try (RunMarks _ = RunMarks.of(assignment)) {
            log.info("leased {}", describe(assignment));
            doAndTell(assignment, leaving);
        } finally {
            setBusy(false);
        }
    }

    /** Does nothing when there is an assignment; none begins meanwhile. Any thread may call. */
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

    /** What is to be done first when the agent leaves. */
    @FunctionalInterface
    interface Leaving {
        void tell() throws InterruptedException;
    }

    private void setBusy(boolean now) {
        lock.lock();
        try {
            busy = now;
        } finally {
            lock.unlock();
        }
    }

    private void doAndTell(Assignment assignment, Leaving leaving) throws InterruptedException {
        var wish = new AtomicReference<>(ReportReply.NONE);
        RankTrace trace = watchers.tracer().begin(assignment);
        Reporter reporter =
                Reporter.start(
                        service.journal(journals, assignment),
                        report -> wish.set(service.report(assignment.id(), report)),
                        BackOff.DEFAULT,
                        time,
                        task -> threads.execute(() -> marked(assignment, task)));
        watchers.vitals().reportsWaiting(reporter::waiting);
        Future<AgentEvent> work =
                computeThread.submit(() -> work(assignment, reporter::report, wish::get, trace));
        reporter.whenRevoked(() -> work.cancel(true));
        try {
            AgentEvent last = outcome(work);
            trace.end(last);
            conclude(reporter, last, PATIENCE);
        } catch (InterruptedException e) {
            work.cancel(true);
            trace.end(DRAINED);
            leaving.tell();
            conclude(reporter, DRAINED, PATIENCE_WHEN_LEAVING);
            throw e;
        }
    }

    private static void marked(Assignment assignment, Runnable task) {
        try (RunMarks _ = RunMarks.of(assignment)) {
            task.run();
        }
    }

    /** Returns the last word on it. */
    private AgentEvent work(
            Assignment assignment,
            Consumer<AgentEvent> events,
            Supplier<ReportReply> wish,
            RankTrace trace)
            throws InterruptedException {
        try (RunMarks _ = RunMarks.of(assignment)) {
            return workOn(assignment, events, wish, trace);
        }
    }

    private AgentEvent workOn(
            Assignment assignment,
            Consumer<AgentEvent> events,
            Supplier<ReportReply> wish,
            RankTrace trace)
            throws InterruptedException {
        switch (assignment) {
            case Assignment.Profiling profiling -> profiler.run(profiling, events);
            case Assignment.LinkProfiling links -> linkProfiler.run(links, events);
            case Assignment.Training share -> {
                var notes = new Notes(share.rank(), events, trace::passed);
                return training.run(
                        share,
                        events.andThen(watchers.listener()).andThen(trace::heard),
                        notes,
                        checkpoints(share, notes, wish));
            }
            case Assignment.Simulation whole -> simulation.run(whole, events);
        }
        return new AgentEvent.Finished();
    }

    private @Nullable Checkpoints checkpoints(
            Assignment.Training share, Notes notes, Supplier<ReportReply> wish) {
        Checkpointing checkpointing = share.checkpointing();
        return checkpointing == null
                ? null
                : new CheckpointsAtService(service, share, checkpointing, notes, wish, time);
    }

    private static AgentEvent outcome(Future<AgentEvent> work) throws InterruptedException {
        try {
            return work.get();
        } catch (CancellationException e) {
            return REVOKED;
        } catch (ExecutionException e) {
            return failure(e.getCause());
        }
    }

    private static AgentEvent failure(@Nullable Throwable cause) {
        if (cause instanceof AssignmentFailed failed) {
            return failed.toEvent();
        }
        if (cause instanceof OutOfMemoryError) {
            return new AgentEvent.Failed(
                    FailureCause.WORKER,
                    "out-of-memory",
                    "this worker has not enough memory for network and mini-batch: "
                            + cause.getMessage());
        }
        log.error("assignment failed for an unforeseen reason", cause);
        return new AgentEvent.Failed(FailureCause.WORKER, "internal-error", String.valueOf(cause));
    }

    /** What follows the last event is not told, so a second conclusion changes nothing. */
    private static void conclude(Reporter reporter, AgentEvent last, Duration patience)
            throws InterruptedException {
        reporter.report(last);
        boolean told = reporter.close(patience);
        if (!reporter.revoked()) {
            log.info("{}{}", describe(last), told ? "" : ", which the service does not know");
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
            case Assignment.Simulation whole ->
                    "simulation: all %d ranks of run %s"
                            .formatted(whole.plan().division().ranks(), whole.run());
            case Assignment.Training share ->
                    "training: rank %d of %d in run %s"
                            .formatted(share.rank(), share.peers().size(), share.run());
        };
    }

    private static String describe(AgentEvent last) {
        return switch (last) {
            case AgentEvent.Failed failed ->
                    "failed: %s: %s".formatted(failed.code(), failed.message());
            case AgentEvent.Interrupted interrupted ->
                    interrupted.missing().isEmpty()
                            ? "stands still"
                            : "stands still, as ranks %s are lost".formatted(interrupted.missing());
            case AgentEvent.Preempted preempted ->
                    "stopped after epoch %d, for another run".formatted(preempted.epoch());
            default -> "finished";
        };
    }
}
