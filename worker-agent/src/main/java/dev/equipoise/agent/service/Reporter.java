package dev.equipoise.agent.service;

import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.FailureCause;
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
 * Tells the service of one assignment, from a thread of its own, so that neither a slow nor a lost
 * service holds up the work. A report is sent again until the service has confirmed it; the service
 * passes over events that it has seen.
 *
 * <p>When the service refuses a report for good, the assignment is revoked: whoever works on it is
 * told to stop. Where the assignment belongs to somebody else by now, nothing more is sent; else
 * the service is told once that it has refused, as it would wait for the end of the work.
 *
 * <p>Any thread may call.
 */
public final class Reporter {

    /** Takes a report to the service. */
    public interface Delivery {

        /**
         * Returns when the service has confirmed the report.
         *
         * @throws ServiceFailed when it has not
         */
        void deliver(Report report) throws InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger(Reporter.class);
    private static final AgentEvent GIVEN_UP =
            new AgentEvent.Failed(
                    FailureCause.WORKER, "agent-restarted", "the agent was started anew");
    private static final Duration GATHERING = Duration.ofMillis(300);

    private final Delivery delivery;
    private final BackOff backOff;
    private final Time time;
    private final BlockingQueue<AgentEvent> inbox = new LinkedBlockingQueue<>();
    private final Backlog backlog = new Backlog();
    private final Outbox outbox;
    private final Journal journal;
    private final FutureTask<@Nullable Void> delivering = new FutureTask<>(this::deliverAll, null);
    private final CompletableFuture<@Nullable Void> revoked = new CompletableFuture<>();

    /** Of those that the thread that delivers has. */
    private volatile int unconfirmed;

    /** Whether nothing more is to be sent. Only the thread that delivers uses it. */
    private boolean over;

    private Reporter(
            Outbox outbox, Journal journal, Delivery delivery, BackOff backOff, Time time) {
        this.outbox = outbox;
        this.journal = journal;
        this.delivery = delivery;
        this.backOff = backOff;
        this.time = time;
    }

    /** Begins to wait for events of an assignment, in a thread of the executor. */
    public static Reporter start(
            Journal journal, Delivery delivery, BackOff backOff, Time time, Executor threads) {
        var reporter = new Reporter(new Outbox(journal), journal, delivery, backOff, time);
        threads.execute(reporter.delivering);
        return reporter;
    }

    /**
     * Tells, in a thread of the executor, what a process before this one could not; where that had
     * not come to the end of its work, that it is given up.
     */
    static void tell(
            Journal.Unsent unsent,
            Delivery delivery,
            BackOff backOff,
            Time time,
            Executor threads) {
        var journal = new Journal(unsent.owner(), unsent.file());
        Outbox outbox = Outbox.of(unsent, journal);
        if (!outbox.isEnded()) {
            outbox.add(GIVEN_UP);
        }
        threads.execute(new Reporter(outbox, journal, delivery, backOff, time).delivering);
    }

    /**
     * Returns at once; the service hears of it soon.
     *
     * @throws AssignmentFailed where more waits than can be kept, and none of it may be missing
     */
    public void report(AgentEvent event) {
        backlog.admit(event);
        inbox.add(event);
    }

    /** How many events the service has not confirmed; about, as they come and go meanwhile. */
    public int waiting() {
        return inbox.size() + unconfirmed;
    }

    public boolean revoked() {
        return revoked.isDone();
    }

    /** The action runs when the assignment is revoked, and at once when it already is. */
    public void whenRevoked(Runnable action) {
        var _ = revoked.thenRun(action);
    }

    /**
     * Waits until the service has all events up to the last one, or the assignment is revoked, but
     * not longer than the patience lasts; then nothing more is sent.
     *
     * @return whether the service has everything
     */
    public boolean close(Duration patience) throws InterruptedException {
        try {
            delivering.get(patience.toNanos(), TimeUnit.NANOSECONDS);
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
            while (!outbox.isComplete() && !over) {
                gather(failures);
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

    /** Waits for something to tell, and then a while for more, unless it is urgent. */
    private void gather(int failures) throws InterruptedException {
        if (outbox.isEmpty()) {
            outbox.add(inbox.take());
        }
        Duration pause = failures == 0 ? GATHERING : backOff.after(failures);
        long end = time.nanoTime() + pause.toNanos();
        while (failures > 0 || !outbox.isUrgent()) {
            AgentEvent event = inbox.poll(end - time.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                return;
            }
            outbox.add(event);
        }
    }

    /** Returns whether the service answered. */
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
            takeRefusal(e);
            return true;
        }
    }

    private void takeRefusal(ServiceFailed refusal) {
        over = refusal.isRevocation() || revoked();
        if (over) {
            log.info("assignment revoked: {}", refusal.getMessage());
        } else {
            log.warn("report refused: {}", refusal.getMessage());
            outbox.endWith(
                    new AgentEvent.Failed(
                            FailureCause.WORKER,
                            "report-refused",
                            String.valueOf(refusal.getMessage())));
        }
        revoked.complete(null);
    }
}
