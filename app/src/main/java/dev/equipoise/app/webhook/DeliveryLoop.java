package dev.equipoise.app.webhook;

import dev.equipoise.app.problem.DatabaseFailureLog;
import dev.equipoise.app.webhook.AttemptStore.Attempt;
import dev.equipoise.app.webhook.AttemptStore.Lease;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Delivers the events of the outbox. Platform threads send them, since a look-up of a name occupies
 * its carrier thread, which requests need.
 */
@Component
class DeliveryLoop implements DisposableBean {

    /** Limit of the webhooks to which an instance delivers at the same time. */
    private static final int MAX_PARALLEL = 4;

    /** Limit of the attempts of one lease, so that others have their turn. */
    private static final int MAX_ATTEMPTS_OF_LEASE = 20;

    private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);

    private final AttemptStore attempts;
    private final DeliveryStore deliveries;
    private final WebhookSender sender;
    private final WebhookSettings settings;
    private final Clock clock;
    private final Semaphore idle = new Semaphore(MAX_PARALLEL);
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(
                    0,
                    // More than permits: a thread releases its permit before it is idle.
                    2 * MAX_PARALLEL,
                    1,
                    TimeUnit.MINUTES,
                    new SynchronousQueue<>(),
                    Thread.ofPlatform().name("webhook-", 1).daemon().factory());

    DeliveryLoop(
            AttemptStore attempts,
            DeliveryStore deliveries,
            WebhookSender sender,
            WebhookSettings settings,
            Clock clock) {
        this.attempts = attempts;
        this.deliveries = deliveries;
        this.sender = sender;
        this.settings = settings;
        this.clock = clock;
    }

    /** Starts to deliver what is due, as far as threads are idle. */
    @Scheduled(fixedDelayString = "PT1S")
    void deliverDue() {
        int permits = idle.drainPermits();
        int used = 0;
        try {
            List<Lease> leases = permits == 0 ? List.of() : attempts.lease(permits);
            for (Lease lease : leases) {
                threads.execute(() -> deliverAndRelease(lease));
                used++;
            }
        } finally {
            idle.release(permits - used);
        }
    }

    @Scheduled(fixedDelayString = "PT1M")
    void removeOld() {
        deliveries.removeOld(clock.instant(), settings.retention());
    }

    private void deliverAndRelease(Lease lease) {
        try {
            deliver(lease);
        } finally {
            idle.release();
        }
    }

    /**
     * Makes the due attempts of a webhook, up to a limit or to one that fails, and ends its lease:
     * a receiver that does not answer holds up no other one for longer than one attempt.
     */
    void deliver(Lease lease) {
        try {
            int made = 0;
            while (made < MAX_ATTEMPTS_OF_LEASE && attempt(lease)) {
                made++;
            }
            attempts.release(lease);
        } catch (ConcurrencyFailureException conflict) {
            log.debug("delivery met a concurrent change: {}", conflict.getMessage());
        } catch (RuntimeException failure) {
            if (!threads.isShutdown() && DatabaseFailureLog.report(failure).isEmpty()) {
                log.error("deliveries to webhook {} failed", lease.webhook(), failure);
            }
        }
    }

    /** Makes the next attempt; false if none is due, or it fails. */
    private boolean attempt(Lease lease) {
        return attempts.begin(lease)
                .flatMap(attempt -> {
                    AttemptOutcome outcome =
                            sender.post(attempt.url(), headers(attempt), attempt.body());
                    Optional<RetryPolicy.Step> step = attempts.finish(lease, attempt, outcome);
                    step.ifPresent(it -> tell(lease, attempt, outcome, it));
                    return step;
                })
                .filter(RetryPolicy.Step.Deliver.class::isInstance)
                .isPresent();
    }

    /** Returns the headers of Standard Webhooks. */
    private static Map<String, String> headers(Attempt attempt) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", attempt.delivery().toString());
        headers.put("webhook-timestamp", Long.toString(attempt.at().getEpochSecond()));
        headers.put(
                "webhook-signature",
                attempt.secret().sign(attempt.delivery(), attempt.at(), attempt.body()));
        return headers;
    }

    /** Logs failures without the URL, which may have secrets of the receiver. */
    private static void tell(
            Lease lease, Attempt attempt, AttemptOutcome outcome, RetryPolicy.Step step) {
        switch (step) {
            case RetryPolicy.Step.Deliver() ->
                    log.debug("delivered {} to webhook {}", attempt.delivery(), lease.webhook());
            case RetryPolicy.Step.Retry(var delay) ->
                    log.info(
                            "attempt {} to deliver {} to webhook {} failed, the next one follows in {} s: {}",
                            attempt.number(),
                            attempt.delivery(),
                            lease.webhook(),
                            delay.toSeconds(),
                            RetryPolicy.text(outcome));
            case RetryPolicy.Step.Fail(String reason) -> {
                log.warn(
                        "delivery {} to webhook {} failed after {} attempts: {}",
                        attempt.delivery(),
                        lease.webhook(),
                        attempt.number(),
                        RetryPolicy.text(outcome));
                if (reason != null) {
                    log.warn("webhook {} is disabled: {}", lease.webhook(), reason);
                }
            }
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
