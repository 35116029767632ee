package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceFailed;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to the service, on a thread of its own. The loop ends with an interrupt or when
 * the membership is closed: Hazelcast loses an interrupt that comes while it joins.
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
    private final Probes probes;
    private final FolderReports folders;
    private final Time time;
    private volatile boolean isDraining;
    private boolean isFailing;

    /** Replaces the credential of this worker. */
    @FunctionalInterface
    interface Renewal {

        /**
         * May be repeated.
         *
         * @throws ServiceFailed when the service has not confirmed the new credential
         */
        void renew() throws InterruptedException;
    }

    /**
     * @param whenIdle runs an action unless the agent has an assignment, which joining another
     *     cluster would end
     * @param onForgotten called when the service no longer knows this worker
     * @param onDismissed called when the service asks this worker to leave
     * @param renewal called when the service asks for a new credential
     * @param probes performs the probes that the service asks for
     * @param folders data folders that heartbeats report
     */
    Heartbeats(
            ServiceClient service,
            Membership membership,
            Consumer<Runnable> whenIdle,
            Runnable onForgotten,
            Runnable onDismissed,
            Renewal renewal,
            Probes probes,
            FolderReports folders,
            Time time) {
        this.service = service;
        this.membership = membership;
        this.whenIdle = whenIdle;
        this.onForgotten = onForgotten;
        this.onDismissed = onDismissed;
        this.renewal = renewal;
        this.probes = probes;
        this.folders = folders;
        this.time = time;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted() && !membership.isClosed()) {
                sendHeartbeat();
                time.sleep(INTERVAL.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tells the service at once, unless the call fails, that this worker takes no new work. Any
     * thread may call, repeatedly.
     */
    void drain() throws InterruptedException {
        if (isDraining) {
            return;
        }
        isDraining = true;
        try {
            service.drain(heartbeat(null));
        } catch (RuntimeException e) {
            log.debug("leaving, but the drain request failed: {}", e.getMessage());
        }
    }

    private void sendHeartbeat() throws InterruptedException {
        try {
            Heartbeat heartbeat = heartbeat(folders.due());
            HeartbeatReply reply = service.heartbeat(heartbeat);
            folders.confirm(heartbeat.folders());
            probes.delivered(heartbeat.probes());
            probes.begin(reply.probes());
            follow(reply);
            isFailing = false;
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

    /**
     * Logs the first failure of a row. Failures never end the heartbeats, since without them the
     * service declares the worker lost.
     */
    private void warnOnce(RuntimeException failure) {
        if (!isFailing) {
            log.warn("heartbeat failed with an unexpected error; trying again", failure);
        }
        isFailing = true;
    }

    private Heartbeat heartbeat(@Nullable List<String> reported) {
        return new Heartbeat(
                membership.address(),
                membership.sees(),
                isDraining,
                load(),
                probes.results(),
                reported,
                HostMemory.used());
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
        log.info("rejoining the cluster at {}", reply.members());
        membership.rejoin(reply.members());
    }
}
