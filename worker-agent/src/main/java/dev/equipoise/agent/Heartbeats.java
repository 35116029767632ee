package dev.equipoise.agent;

import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceFailed;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the service signs of life, on a thread of its own, until that is interrupted or the worker
 * has left the cluster for good: an interrupt that comes while it joins is lost in Hazelcast.
 */
final class Heartbeats implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final ServiceClient service;
    private final Membership membership;
    private final Consumer<Runnable> whenIdle;
    private final Runnable onForgotten;
    private final Runnable onDismissed;
    private final Renewal renewal;
    private final Time time;
    private volatile boolean draining;
    private boolean failing;

    /** Chooses another credential, and goes by it. */
    @FunctionalInterface
    interface Renewal {

        /**
         * May be repeated.
         *
         * @throws ServiceFailed where the service has not confirmed it
         */
        void renew() throws InterruptedException;
    }

    /**
     * @param whenIdle runs what is given to it unless the agent has an assignment, which joining
     *     another cluster would end
     * @param onForgotten called when the service does not know this worker any more
     * @param onDismissed called when the service wants this worker to leave
     * @param renewal called when the service finds this worker's credential old
     */
    Heartbeats(
            ServiceClient service,
            Membership membership,
            Consumer<Runnable> whenIdle,
            Runnable onForgotten,
            Runnable onDismissed,
            Renewal renewal,
            Time time) {
        this.service = service;
        this.membership = membership;
        this.whenIdle = whenIdle;
        this.onForgotten = onForgotten;
        this.onDismissed = onDismissed;
        this.renewal = renewal;
        this.time = time;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted() && !membership.isClosed()) {
                beat();
                time.sleep(INTERVAL.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tells the service at once, if that can be done at once, that this worker takes nothing more.
     * Any thread may call, more than once.
     */
    void drain() throws InterruptedException {
        if (draining) {
            return;
        }
        draining = true;
        try {
            service.drain(sign());
        } catch (RuntimeException e) {
            log.debug("leaving without a warning: {}", e.getMessage());
        }
    }

    private void beat() throws InterruptedException {
        try {
            follow(service.heartbeat(sign()));
            failing = false;
        } catch (ServiceFailed e) {
            if (e.isUnknownWorker()) {
                onForgotten.run();
            } else {
                log.debug("heartbeat failed: {}", e.getMessage());
            }
        } catch (RuntimeException e) {
            warnOnce(e);
        }
    }

    /** An agent without heartbeats is lost to the lab, so no failure ends them. */
    private void warnOnce(RuntimeException failure) {
        if (!failing) {
            log.warn("heartbeat failed for an unforeseen reason; trying again", failure);
        }
        failing = true;
    }

    private Heartbeat sign() {
        return new Heartbeat(membership.address(), membership.sees(), draining, load());
    }

    private static @Nullable Double load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? null : load;
    }

    private void follow(HeartbeatReply reply) throws InterruptedException {
        if (reply.leave()) {
            whenIdle.accept(onDismissed);
        } else if (membership.isOut()) {
            rejoin(reply);
        } else if (reply.rejoin()) {
            whenIdle.accept(() -> rejoin(reply));
        }
        if (reply.renew()) {
            renewal.renew();
        }
    }

    private void rejoin(HeartbeatReply reply) {
        log.info("joining the cluster again, by {}", reply.members());
        membership.rejoin(reply.members());
    }
}
