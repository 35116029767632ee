package dev.equipoise.agent.service;

import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Report;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the events of one assignment to the service, from a thread of its own, so that neither a
 * slow nor an absent service delays the work. A report is repeated until the service has confirmed
 * it; the service ignores events that it has already seen.
 *
 * <p>When the service rejects a report permanently, the assignment is revoked: its work is told to
 * stop. If the assignment belongs to another worker by now, nothing more is sent; otherwise one
 * last event reports the rejection, since the service waits for the end of the work.
 *
 * <p>Any thread may call.
 */
public final class Reporter {

    /** Sends reports to the service. */
    public interface Delivery {

        /**
         * Returns when the service has confirmed the report.
         *
         * @throws ServiceFailed when it has not
         */
        void deliver(Report report) throws InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger(Reporter.class);
    private static final Outcome RESTARTED =
            new Outcome.Failed(FailureCause.WORKER, "agent-restarted", "the agent was restarted");
    private static final Duration BATCH_TIME = Duration.ofMillis(300);

    private final Delivery delivery;
    private final ExponentialBackoff backoff;
    private final Time time;
    private final BlockingQueue<AgentEvent> inbox = new LinkedBlockingQueue<>();
    private final Backlog backlog = new Backlog();
    private final Outbox outbox;
    private final Journal journal;
    private final FutureTask<@Nullable Void> delivering = new FutureTask<>(this::deliverAll, null);
    private final CompletableFuture<@Nullable Void> revoked = new CompletableFuture<>();

    /** Number of unconfirmed events that the delivering thread holds. */
    private volatile int unconfirmed;

    /** Whether nothing more is sent. Only the delivering thread uses it. */
    private boolean isClosed;

    private Reporter(
            Outbox outbox,
            Journal journal,
            Delivery delivery,
            ExponentialBackoff backoff,
            Time time) {
        this.outbox = outbox;
        this.journal = journal;
        this.delivery = delivery;
        this.backoff = backoff;
        this.time = time;
    }

    /** Starts to report the events of an assignment, in a thread of the executor. */
    public static Reporter start(
            Journal journal,
            Delivery delivery,
            ExponentialBackoff backoff,
            Time time,
            Executor threads) {
        var reporter = new Reporter(new Outbox(journal), journal, delivery, backoff, time);
        threads.execute(reporter.delivering);
        return reporter;
    }

    /**
     * Reports, in a thread of the executor, the unconfirmed events of an earlier process; if its
     * work had not ended, adds that the agent was restarted.
     */
    static void reportUnsent(
            Journal.Unsent unsent,
            Delivery delivery,
            ExponentialBackoff backoff,
            Time time,
            Executor threads) {
        var journal = new Journal(unsent.owner(), unsent.file());
        Outbox outbox = Outbox.of(unsent, journal);
        if (!outbox.isEnded()) {
            outbox.add(RESTARTED);
        }
        threads.execute(new Reporter(outbox, journal, delivery, backoff, time).delivering);
    }

    /**
     * Queues an event, and returns at once.
     *
     * @throws AssignmentFailed when too many events wait that must not be lost
     */
    public void report(AgentEvent event) {
        backlog.admit(event);
        inbox.add(event);
    }

    /** Returns the approximate number of unconfirmed events, which changes meanwhile. */
    public int waiting() {
        return inbox.size() + unconfirmed;
    }

    public boolean revoked() {
        return revoked.isDone();
    }

    /** Runs the action when the assignment is revoked, or at once if it already is. */
    public void whenRevoked(Runnable action) {
        var _ = revoked.thenRun(action);
    }

    /**
     * Waits until the service has all events up to the last one, the assignment is revoked, or the
     * timeout expires; then nothing more is sent.
     *
     * @return whether the service has all events
     */
    public boolean close(Duration timeout) throws InterruptedException {
        try {
            delivering.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return !revoked();
        } catch (TimeoutException e) {
            delivering.cancel(true);
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the reporter failed", e.getCause());
        }
    }

    private void deliverAll() {
        int failures = 0;
        try {
            while (!outbox.isComplete() && !isClosed) {
                collect(failures);
                unconfirmed = outbox.size();
                failures = deliver() ? 0 : failures + 1;
                unconfirmed = outbox.size();
            }
            unconfirmed = 0;
            journal.delete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for an event, and then up to 300 ms for more, unless one is urgent. */
    private void collect(int failures) throws InterruptedException {
        if (outbox.isEmpty()) {
            outbox.add(inbox.take());
        }
        Duration pause = failures == 0 ? BATCH_TIME : backoff.after(failures);
        long end = time.nanoTime() + pause.toNanos();
        while (failures > 0 || !outbox.isUrgent()) {
            AgentEvent event = inbox.poll(end - time.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                return;
            }
            outbox.add(event);
        }
    }

    /** Returns whether the service answered; what a proxy says in its place counts for nothing. */
    private boolean deliver() throws InterruptedException {
        try {
            Report report = outbox.report();
            delivery.deliver(report);
            outbox.confirm();
            backlog.release(report.events());
            return true;
        } catch (ServiceFailed e) {
            if (e.isTemporary()) {
                log.debug("report not confirmed: {}", e.getMessage());
                return false;
            }
            handleRejection(e);
            return true;
        }
    }

    private void handleRejection(ServiceFailed rejection) {
        isClosed = rejection.isRevocation() || revoked();
        if (isClosed) {
            log.info("assignment revoked: {}", rejection.getMessage());
        } else {
            log.warn("report rejected: {}", rejection.getMessage());
            outbox.endWith(
                    new Outcome.Failed(
                            FailureCause.WORKER,
                            "report-refused",
                            String.valueOf(rejection.getMessage())));
        }
        revoked.complete(null);
    }
}
