package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.channel.AddressProbe;
import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.link.LinkPlan;
import dev.equipoise.agent.link.LinkProfiler;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.profile.Profiler;
import dev.equipoise.agent.service.FetchedOrders;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceFailed;
import dev.equipoise.agent.simulation.Simulation;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.TrainingAssignmentRunner;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Credential;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an agent: joins the lab, leases, executes and reports assignments in turn, and leaves. The
 * loop ends when its thread is interrupted or the service dismisses the worker.
 */
final class AgentLoop {

    private static final Logger log = LoggerFactory.getLogger(AgentLoop.class);
    private static final Duration LEASE_WAIT = Duration.ofSeconds(20);

    /** Time after which a failed call to leave is not repeated. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

    private final AgentSettings settings;
    private final DatasetRegistry datasets;
    private final ExecutorService computeThread;
    private final ExecutorService threads;
    private final Time time;
    private final Backend backend;
    private final DivergedWeightsStore divergedWeights;
    private final AgentStorage storage;
    private final AgentObservers observers;
    private volatile boolean forgotten;

    /**
     * @param computeThread executor with one thread, on which all numeric work runs
     * @param threads executor that starts a thread for each task
     */
    AgentLoop(
            AgentSettings settings,
            DatasetRegistry datasets,
            ExecutorService computeThread,
            ExecutorService threads,
            Time time,
            Backend backend,
            DivergedWeightsStore divergedWeights,
            AgentStorage storage,
            AgentObservers observers) {
        this.settings = settings;
        this.datasets = datasets;
        this.computeThread = computeThread;
        this.threads = threads;
        this.time = time;
        this.backend = backend;
        this.divergedWeights = divergedWeights;
        this.storage = storage;
        this.observers = observers;
    }

    /**
     * Returns after an interrupt, or after the service has dismissed the worker, once this agent
     * has left the service and the cluster.
     *
     * @throws AgentFailed when the service refuses this agent or has forgotten it
     */
    void run() {
        var random = new SecureRandom();
        try (DataServer dataServer = openDataServer(random)) {
            int port = clusterPort();
            String dataAddress =
                    HostInspector.address(
                            settings.address().host(), dataServer.address().getPort());
            var addresses =
                    new Enrollment.Addresses(
                            HostInspector.address(settings.address().host(), port),
                            dataAddress,
                            dataServer.probeKey());
            ServiceClient service = enroll(addresses, random);
            try (Membership membership = join(service.admission(), port, dataAddress)) {
                observers.status().readyWhile(() -> !membership.isOut());
                work(service, membership, dataServer, random);
                leave(service);
            }
        } catch (InterruptedException e) {
            log.info("stopped before the agent had joined");
        }
    }

    private ServiceClient enroll(Enrollment.Addresses addresses, SecureRandom random)
            throws InterruptedException {
        long joining = settings.timeouts().joining().toNanos();
        long start = time.nanoTime();
        reportUnsent(start + joining / 2);
        List<String> folders =
                FolderReports.atStart(
                        datasets::folders, threads, FolderReports.START_TIMEOUT, datasets.places());
        return new Enrollment(settings, storage.state(), folders, backend, time, random)
                .enroll(addresses, start + joining);
    }

    private DataServer openDataServer(SecureRandom random) {
        try {
            return DataServer.open(
                    settings.address().host(), settings.address().dataPort(), random);
        } catch (UncheckedIOException e) {
            throw new AgentFailed("%s: %s".formatted(e.getMessage(), e.getCause()), e);
        }
    }

    private int clusterPort() {
        AgentSettings.Address address = settings.address();
        return address.isAnyClusterPort()
                ? HostInspector.freePort(address.host())
                : address.clusterPort();
    }

    /**
     * Reports events that earlier processes could not report, and waits for their answers: the
     * registration revokes the assignments of the process before.
     *
     * @param end nanosecond of the clock after which this agent joins without waiting further
     */
    private void reportUnsent(long end) throws InterruptedException {
        List<Future<?>> deliveries = new ArrayList<>();
        ServiceClient.reportUnsent(
                settings.service(),
                settings.timeouts().request(),
                storage.journals(),
                time,
                task -> deliveries.add(threads.submit(task)));
        try {
            for (Future<?> delivery : deliveries) {
                delivery.get(Math.max(0, end - time.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            log.warn("joining before all events of earlier agents are reported");
        } catch (ExecutionException e) {
            log.warn("reporting events of an earlier agent failed", e.getCause());
        }
    }

    private Membership join(Admission admission, int port, String dataAddress) {
        return Membership.join(
                new ClusterSettings(
                        admission.clusterName(),
                        settings.address().host(),
                        port,
                        SeedMembers.of(admission.members(), settings.members()),
                        admission.worker().toString(),
                        dataAddress),
                settings.address().isAnyClusterPort());
    }

    private void work(
            ServiceClient service,
            Membership membership,
            DataServer dataServer,
            SecureRandom random)
            throws InterruptedException {
        var rendezvous = new ClusterRendezvous(dataServer, membership, settings.timeouts(), time);
        var executor =
                new AssignmentExecutor(
                        service,
                        storage.journals(),
                        runners(service, rendezvous),
                        computeThread,
                        threads,
                        time,
                        observers);
        Thread own = Thread.currentThread();
        var heartbeats =
                new Heartbeats(
                        service,
                        membership,
                        executor::whenIdle,
                        () -> forget(own),
                        () -> dismiss(own),
                        () -> service.renew(storage.credentials(), () -> Credential.random(random)),
                        new Probes(threads, new AddressProbe(random)::failure),
                        new FolderReports(datasets::folders, threads, time),
                        time);
        Future<?> heartbeatTask = threads.submit(heartbeats);
        log.info("joined as {} ({})", settings.name(), service.admission().worker());
        try {
            leaseAndPerform(service, executor, heartbeats);
        } catch (InterruptedException e) {
            requireKnown();
            log.info("leaving");
            heartbeats.drain();
        } finally {
            observers.status().readyWhile(() -> false);
            heartbeatTask.cancel(true);
        }
    }

    private AssignmentRunners runners(ServiceClient service, Rendezvous rendezvous) {
        var throttle = new Throttle(settings.slowDown(), settings.threads(), time);
        return new AssignmentRunners(
                new Profiler(
                        rendezvous,
                        throttle,
                        settings.threads(),
                        settings.slowDown(),
                        time,
                        backend),
                new LinkProfiler(rendezvous, LinkPlan.DEFAULT, time),
                new TrainingAssignmentRunner(
                        datasets, rendezvous, throttle, time, backend, divergedWeights),
                new Simulation(
                        datasets,
                        settings.threads(),
                        HostInspector.memoryBytes(),
                        backend,
                        divergedWeights,
                        new FetchedOrders(service::order, time)));
    }

    private void leaseAndPerform(
            ServiceClient service, AssignmentExecutor executor, Heartbeats heartbeats)
            throws InterruptedException {
        int failures = 0;
        while (true) {
            try {
                var assignment = service.lease(LEASE_WAIT);
                failures = 0;
                if (assignment.isPresent()) {
                    executor.perform(assignment.get(), heartbeats::drain);
                }
            } catch (ServiceFailed e) {
                forgotten |= e.isUnknownWorker();
                requireKnown();
                failures++;
                if (failures == 1 && !e.isTemporary()) {
                    log.warn("lease rejected: {}; trying again", e.getMessage());
                }
                pause(failures);
            }
        }
    }

    /** Waits before the next attempt. */
    private void pause(int failures) throws InterruptedException {
        time.sleep(ExponentialBackoff.DEFAULT.after(failures).toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException("waiting for the service");
        }
    }

    private void forget(Thread own) {
        forgotten = true;
        own.interrupt();
    }

    private static void dismiss(Thread own) {
        log.info("the service dismissed this worker");
        own.interrupt();
    }

    private void requireKnown() {
        if (forgotten) {
            throw new AgentFailed(
                    "the service does not know this worker any more; start the agent again", null);
        }
    }

    /** Repeats the call for a short time only, since a stopping agent must end. */
    private void leave(ServiceClient service) throws InterruptedException {
        long end = time.nanoTime() + LEAVE_TIMEOUT.toNanos();
        for (int failures = 1; ; failures++) {
            try {
                service.leave();
                log.info("left");
                return;
            } catch (ServiceFailed e) {
                if (!e.isTemporary() || time.nanoTime() >= end) {
                    log.warn("left, but the service did not confirm it: {}", e.getMessage());
                    return;
                }
                pause(failures);
            }
        }
    }
}
