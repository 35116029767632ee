package dev.equipoise.agent;

import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.link.LinkPlan;
import dev.equipoise.agent.link.LinkProfiler;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.profile.Profiler;
import dev.equipoise.agent.replica.LastWeights;
import dev.equipoise.agent.replica.Simulation;
import dev.equipoise.agent.replica.Training;
import dev.equipoise.agent.service.FetchedOrders;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceFailed;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent from its first to its last word: it joins the lab, then leases work, does it and reports
 * it, over and over, until the thread is interrupted or the service lets it go; then it takes its
 * leave.
 */
final class DutyCycle {

    private static final Logger log = LoggerFactory.getLogger(DutyCycle.class);
    private static final Duration LEASE_WAIT = Duration.ofSeconds(20);

    private final Settings settings;
    private final DatasetRegistry datasets;
    private final ExecutorService computeThread;
    private final ExecutorService threads;
    private final Time time;
    private final Backend backend;
    private final LastWeights lastWeights;
    private final Journals journals;
    private final Watchers watchers;
    private volatile boolean forgotten;

    /**
     * @param computeThread one thread, on which all numeric work is done
     * @param threads as many threads as are asked for
     */
    DutyCycle(
            Settings settings,
            DatasetRegistry datasets,
            ExecutorService computeThread,
            ExecutorService threads,
            Time time,
            Backend backend,
            LastWeights lastWeights,
            Journals journals,
            Watchers watchers) {
        this.settings = settings;
        this.datasets = datasets;
        this.computeThread = computeThread;
        this.threads = threads;
        this.time = time;
        this.backend = backend;
        this.lastWeights = lastWeights;
        this.journals = journals;
        this.watchers = watchers;
    }

    /**
     * Returns when it was told to stop, by an interrupt or by the service, and everybody knows that
     * this agent has left.
     *
     * @throws AgentFailed when the service does not take this agent, or has forgotten it
     */
    void run() {
        var random = new SecureRandom();
        try (DataServer dataServer = openDataServer(random)) {
            int port = clusterPort();
            ServiceClient service = register(port, Credential.random(random));
            ServiceClient.tellUnsent(
                    settings.service(), settings.timeouts().request(), journals, time, threads);
            try (Membership membership = join(service.admission(), port, dataServer)) {
                watchers.vitals().readyWhile(() -> !membership.isOut());
                work(service, membership, dataServer, random);
                leave(service);
            }
        } catch (InterruptedException e) {
            log.info("left before it had joined");
        }
    }

    private DataServer openDataServer(SecureRandom random) {
        try {
            return DataServer.open(settings.host(), settings.ports().data(), random);
        } catch (UncheckedIOException e) {
            throw new AgentFailed("%s: %s".formatted(e.getMessage(), e.getCause()), e);
        }
    }

    private int clusterPort() {
        return settings.ports().isAnyForCluster()
                ? Host.freePort(settings.host())
                : settings.ports().cluster();
    }

    /** Says the same again until it is answered, so that it comes in once. */
    private ServiceClient register(int clusterPort, Credential credential)
            throws InterruptedException {
        var registration =
                new Registration(
                        settings.name(),
                        Host.describe(
                                settings.threads(), backend.description(), settings.slowDown()),
                        Host.address(settings.host(), clusterPort),
                        settings.labelsOn(backend.device().label()),
                        credential,
                        SoftwareVersion.OWN);
        long end = time.nanoTime() + settings.timeouts().joining().toNanos();
        for (int failures = 1; ; failures++) {
            try {
                return ServiceClient.register(
                        settings.service(),
                        settings.timeouts().request(),
                        settings.joinToken(),
                        registration);
            } catch (ServiceFailed e) {
                if (e.isRefusedToken()) {
                    throw AgentFailed.refused("could not join: " + e.getMessage(), e);
                }
                if (!e.isTemporary() || time.nanoTime() >= end) {
                    throw new AgentFailed("could not join: " + e.getMessage(), e);
                }
                pause(failures, e);
            }
        }
    }

    private Membership join(Admission admission, int port, DataServer dataServer) {
        return Membership.join(
                new ClusterSettings(
                        admission.clusterName(),
                        settings.host(),
                        port,
                        Seeds.of(admission.members(), settings.members()),
                        admission.worker().toString(),
                        Host.address(settings.host(), dataServer.address().getPort())),
                settings.ports().isAnyForCluster());
    }

    private void work(
            ServiceClient service,
            Membership membership,
            DataServer dataServer,
            SecureRandom random)
            throws InterruptedException {
        var pace = new Pace(settings.slowDown(), settings.threads(), time);
        var meeting = new ClusterMeeting(dataServer, membership, settings.timeouts(), time);
        var workbench =
                new Workbench(
                        service,
                        journals,
                        new Profiler(
                                meeting,
                                pace,
                                settings.threads(),
                                settings.slowDown(),
                                time,
                                backend),
                        new LinkProfiler(meeting, LinkPlan.DEFAULT, time),
                        new Training(datasets, meeting, pace, time, backend, lastWeights),
                        new Simulation(
                                datasets,
                                settings.threads(),
                                Host.memoryBytes(),
                                backend,
                                lastWeights,
                                new FetchedOrders(service::order, time)),
                        computeThread,
                        threads,
                        time,
                        watchers);
        Thread own = Thread.currentThread();
        var heartbeats =
                new Heartbeats(
                        service,
                        membership,
                        workbench::whenIdle,
                        () -> forget(own),
                        () -> dismiss(own),
                        () -> service.renew(journals, () -> Credential.random(random)),
                        time);
        Future<?> beating = threads.submit(heartbeats);
        log.info("joined as {} ({})", settings.name(), service.admission().worker());
        try {
            leaseAndPerform(service, workbench, heartbeats);
        } catch (InterruptedException e) {
            requireKnown();
            log.info("leaving");
            heartbeats.drain();
        } finally {
            watchers.vitals().readyWhile(() -> false);
            beating.cancel(true);
        }
    }

    private void leaseAndPerform(ServiceClient service, Workbench workbench, Heartbeats heartbeats)
            throws InterruptedException {
        int failures = 0;
        while (true) {
            try {
                var assignment = service.lease(LEASE_WAIT);
                failures = 0;
                if (assignment.isPresent()) {
                    workbench.perform(assignment.get(), heartbeats::drain);
                }
            } catch (ServiceFailed e) {
                forgotten |= e.isUnknownWorker();
                requireKnown();
                failures++;
                pause(failures, e);
            }
        }
    }

    /** A lost service is worth one line, however long it stays away. */
    private void pause(int failures, ServiceFailed failure) throws InterruptedException {
        if (failures == 1) {
            log.warn("{}; trying again", failure.getMessage());
        }
        time.sleep(BackOff.DEFAULT.after(failures).toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException("waiting for the service");
        }
    }

    private void forget(Thread own) {
        forgotten = true;
        own.interrupt();
    }

    private static void dismiss(Thread own) {
        log.info("the service lets this worker go");
        own.interrupt();
    }

    private void requireKnown() {
        if (forgotten) {
            throw new AgentFailed(
                    "the service does not know this worker any more; start the agent again", null);
        }
    }

    private static void leave(ServiceClient service) throws InterruptedException {
        try {
            service.leave();
            log.info("left");
        } catch (ServiceFailed e) {
            log.warn("left without the service knowing it: {}", e.getMessage());
        }
    }
}
