package dev.equipoise.app.worker;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Tokens;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.ReleaseVersion;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Registers agents, as new workers or as those that they were before. */
@Service
class WorkerRegistrations {

    private static final Logger log = LoggerFactory.getLogger(WorkerRegistrations.class);

    private final Workers workers;
    private final WorkerRepository stored;
    private final ClusterViews clusterViews;
    private final WorkerReturn workerReturn;
    private final Tokens tokens;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    WorkerRegistrations(
            Workers workers,
            WorkerRepository stored,
            ClusterViews clusterViews,
            WorkerReturn workerReturn,
            Tokens tokens,
            ApplicationEventPublisher events,
            Clock clock) {
        this.workers = workers;
        this.stored = stored;
        this.clusterViews = clusterViews;
        this.workerReturn = workerReturn;
        this.tokens = tokens;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Registers an agent with a join token. Idempotent, as a reply may be lost: a repeated
     * registration returns the same worker.
     *
     * @param clusterName name of the Hazelcast cluster that the agent joins
     * @throws Problem {@code incompatible-version} if the agent speaks a protocol that is more than
     *     one minor version older or newer, or {@code unreachable-address} if it or a worker on
     *     another host has a loopback address
     */
    @Transactional
    Admission register(Caller.Newcomer newcomer, Registration registration, String clusterName) {
        requireCompatible(registration);
        WorkerId id =
                tokens.joined(newcomer, registration.credential())
                        .map(it -> comeBack(it, registration))
                        .orElseGet(() -> admit(newcomer, registration));
        return admission(id, clusterName);
    }

    /**
     * Registers an agent that has started again and is still the same worker. Idempotent, as a
     * reply may be lost. The worker keeps its cordon, and its profiles and links unless its host
     * has changed; its assignments are revoked, since the process that had them has ended.
     *
     * @param clusterName name of the Hazelcast cluster that the agent joins
     * @throws Problem as for a new worker, or {@code illegal-state} if the credential of the
     *     registration is not the worker's
     */
    @Transactional
    Admission register(WorkerId returning, Registration registration, String clusterName) {
        requireCompatible(registration);
        return admission(comeBack(returning, registration), clusterName);
    }

    private static void requireCompatible(Registration registration) {
        ReleaseVersion.mismatch(registration.release(), ReleaseVersion.OWN)
                .ifPresent(reason -> {
                    throw Problem.of(ErrorCode.INCOMPATIBLE_VERSION, reason);
                });
    }

    private WorkerId admit(Caller.Newcomer newcomer, Registration registration) {
        AddressRule.require(registration, workers.live());
        WorkerId id = WorkerId.of(UUID.randomUUID());
        ClusterView emptyView = clusterViews.store(Set.of());
        stored.saveAndFlush(
                new Worker(id, newcomer.token(), registration, emptyView, clock.instant()));
        tokens.redeem(newcomer, id, registration.name(), registration.credential());
        log.info("worker registered: {} {}", registration.name(), id);
        events.publishEvent(new LiveWorkersChanged());
        return id;
    }

    private WorkerId comeBack(WorkerId id, Registration registration) {
        Worker returning = workers.lock(id);
        AddressRule.require(registration, others(id));
        workerReturn.apply(returning, registration);
        return id;
    }

    private List<LabWorker> others(WorkerId id) {
        return workers.live().stream().filter(it -> !it.id().equals(id)).toList();
    }

    private Admission admission(WorkerId id, String clusterName) {
        return new Admission(
                id,
                clusterName,
                ClusterFormation.membersFor(id, workers.live()),
                SoftwareVersion.OWN,
                ProtocolVersion.OWN);
    }
}
