package dev.equipoise.app.worker;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Tokens;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.time.ClockCoverage;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.WorkerId;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Finds the workers of the lab and changes their state. */
@Service
public class Workers {

    private static final Logger log = LoggerFactory.getLogger(Workers.class);
    private static final int COUNT_TIMEOUT_SECONDS = 5;
    private static final Set<WorkerState> LIVE =
            Arrays.stream(WorkerState.values())
                    .filter(WorkerState::isLive)
                    .collect(Collectors.toUnmodifiableSet());

    private final WorkerRepository workers;
    private final ClusterViews clusterViews;
    private final LiveWorkerCache liveWorkers;
    private final WorkerSamples samples;
    private final Tokens tokens;
    private final Audit audit;
    private final WorkerSettings settings;
    private final ApplicationEventPublisher events;
    private final Clock clock;
    private final ClockCoverage coverage;

    Workers(
            WorkerRepository workers,
            ClusterViews clusterViews,
            LiveWorkerCache liveWorkers,
            WorkerSamples samples,
            Tokens tokens,
            Audit audit,
            WorkerSettings settings,
            ApplicationEventPublisher events,
            Clock clock) {
        this.workers = workers;
        this.clusterViews = clusterViews;
        this.liveWorkers = liveWorkers;
        this.samples = samples;
        this.tokens = tokens;
        this.audit = audit;
        this.settings = settings;
        this.events = events;
        this.clock = clock;
        this.coverage = new ClockCoverage(settings.silence(), settings.silence().dividedBy(2));
    }

    @Transactional
    HeartbeatReply hear(Caller.Agent agent, Heartbeat heartbeat) {
        WorkerId id = agent.worker();
        Worker worker = lockPresent(id);
        if (!worker.sees(ClusterView.of(heartbeat.sees()).digest())) {
            worker.see(clusterViews.store(heartbeat.sees()));
        }
        Instant before = worker.lastSeenAt();
        Instant now = clock.instant();
        worker.awaitCluster(now.plus(settings.clusterForming()));
        samples.take(id, heartbeat, before, now);
        if (worker.hear(heartbeat, now)) {
            events.publishEvent(new LiveWorkersChanged());
        }
        if (!settings.covers(before, now)) {
            events.publishEvent(new HeartbeatGap(id, before, now));
        }
        LabWorker reporting = worker.snapshot(heartbeat.sees());
        List<LabWorker> cached = liveWorkers.known(this::live);
        return new HeartbeatReply(
                // The cache may still hold a worker that has left.
                ClusterFormation.mustRejoin(reporting, cached)
                        && ClusterFormation.mustRejoin(reporting, live()),
                worker.isDismissed(),
                isOld(agent.credentialSince()),
                ClusterFormation.membersFor(id, cached),
                probes(worker, heartbeat, cached));
    }

    /** Records the results of probes, and returns the workers to be probed now. */
    private List<ProbeRequest> probes(Worker worker, Heartbeat heartbeat, List<LabWorker> live) {
        Instant now = clock.instant();
        LabWorker prober = worker.snapshot(heartbeat.sees());
        PeerProbes probes =
                worker.probes()
                        .with(heartbeat.probes(), now)
                        .towards(PeerProbes.neighbors(prober, live), now);
        worker.probe(probes.asked(now));
        return workers.withKeys(probes.due(now));
    }

    private boolean isOld(Instant credentialSince) {
        return !clock.instant().isBefore(credentialSince.plus(settings.credentialLife()));
    }

    /**
     * Accepts the next credential of a worker.
     *
     * @throws Problem {@code illegal-state} if the worker has left, or its current credential is a
     *     minute old at most
     */
    @Transactional
    void renew(Caller.Agent agent, Credential next) {
        Worker worker = lockPresent(agent.worker());
        tokens.renew(agent, worker.snapshot().name(), next);
    }

    private Worker lockPresent(WorkerId id) {
        Worker worker = lock(id);
        if (worker.hasLeft()) {
            throw Problem.of(ErrorCode.ILLEGAL_STATE, "worker %s has left".formatted(id));
        }
        return worker;
    }

    /**
     * Removes unused cluster views. A recent view stays, as the transaction that refers to it may
     * not have committed yet.
     */
    @Transactional
    public void forgetClusterViews() {
        clusterViews.forget();
    }

    /**
     * Lets a worker leave at its own request; its agent may return. Idempotent, as a request may
     * arrive twice.
     */
    @Transactional
    void leave(WorkerId id) {
        if (!lock(id).hasLeft()) {
            var _ = leave(id, "left");
            tokens.suspend(id);
        }
    }

    /**
     * Expels a worker: revokes its credential and takes it from its runs.
     *
     * @throws Problem {@code not-found}, or {@code illegal-state} if it has left
     */
    @Transactional
    LabWorker expel(Caller.User caller, WorkerId id) {
        LabWorker expelled = leave(id, "was expelled");
        tokens.revoke(id);
        audit.note(
                caller, Change.of("worker-expelled", "worker", id).with("name", expelled.name()));
        return expelled;
    }

    private LabWorker leave(WorkerId id, String how) {
        Worker worker = lock(id);
        worker.leave(clock.instant());
        LabWorker left = worker.snapshot();
        log.info("worker {}: {} {}", how, left.name(), id);
        events.publishEvent(new LiveWorkersChanged());
        events.publishEvent(new WorkerDeparted(id, left.name(), how));
        return left;
    }

    /**
     * Removes a worker that is lost or has left, and revokes its credential. Its past runs keep its
     * name and its profiles.
     *
     * @throws Problem {@code not-found}, or {@code illegal-state} if it is live
     */
    @Transactional
    void remove(Caller.User caller, WorkerId id) {
        Worker worker = lock(id);
        LabWorker removed = worker.snapshot();
        worker.remove(clock.instant());
        tokens.revoke(id);
        log.info("worker removed: {} {}", removed.name(), id);
        audit.note(caller, Change.of("worker-removed", "worker", id).with("name", removed.name()));
    }

    /**
     * Sets the cordon of a worker. Idempotent.
     *
     * @throws Problem {@code not-found}, or {@code illegal-state} if it has left
     */
    @Transactional
    LabWorker cordon(Caller.User caller, WorkerId id, Cordon wanted) {
        Worker worker = lock(id);
        if (worker.cordon(wanted, clock.instant())) {
            LabWorker changed = worker.snapshot();
            audit.note(caller, Change.of("worker-cordon", "worker", id).with("cordon", wanted));
            log.info("worker cordon: {} {} is {}", changed.name(), id, wanted);
            if (wanted != Cordon.OPEN) {
                events.publishEvent(new WorkerCordoned(id, changed.name()));
            }
        }
        return worker.snapshot();
    }

    /**
     * The live workers without a heartbeat for the session timeout. Empty if this instance has not
     * received heartbeats without a gap for that long. Must be called more often than heartbeats
     * arrive.
     */
    @Transactional(readOnly = true)
    public List<WorkerId> silent() {
        Instant now = clock.instant();
        List<Worker> unheard =
                workers.findUnheard(
                        LIVE, now.minus(settings.silence()), now.plus(settings.silence()));
        return coverage.at(clock)
                ? unheard.stream().map(it -> it.snapshot().id()).toList()
                : List.of();
    }

    /** Declares a worker lost, unless it has sent a heartbeat since or is lost already. */
    @Transactional
    public void lose(WorkerId id) {
        Worker worker = lock(id);
        LabWorker silent = worker.snapshot();
        if (!silent.state().isLive() || isHeard(silent)) {
            return;
        }
        worker.lose(clock.instant());
        log.warn("worker lost: {} {}", silent.name(), id);
        events.publishEvent(new LiveWorkersChanged());
        events.publishEvent(
                new WorkerDeparted(
                        id,
                        silent.name(),
                        "was silent for %s s".formatted(seconds(settings.silence()))));
        events.publishEvent(
                new WorkerLost(id, silent.name(), silent.lastSeenAt(), clock.instant()));
    }

    /** The workers that have been lost for longer than {@code equipoise.worker.absence}. */
    @Transactional(readOnly = true)
    public List<WorkerId> absent() {
        return workers.findByStateAndLastSeenAtBefore(WorkerState.LOST, absentSince()).stream()
                .map(it -> it.snapshot().id())
                .toList();
    }

    /** Makes a lost worker leave, unless it has sent a heartbeat or left since. */
    @Transactional
    public void giveUp(WorkerId id) {
        LabWorker absent = lock(id).snapshot();
        if (absent.state() == WorkerState.LOST && absent.lastSeenAt().isBefore(absentSince())) {
            var _ = leave(id, "was lost for %s s".formatted(seconds(settings.absence())));
            tokens.suspend(id);
        }
    }

    private Instant absentSince() {
        return clock.instant().minus(settings.absence());
    }

    /** A heartbeat far in the future is outdated as well: the clock was set back. */
    private boolean isHeard(LabWorker worker) {
        return settings.covers(worker.lastSeenAt(), clock.instant());
    }

    /**
     * Returns until when heartbeats cover the time of each of some workers: until the session
     * timeout after the last one.
     */
    @Transactional(readOnly = true)
    public Map<WorkerId, Instant> coveredUntil(Collection<WorkerId> some) {
        return workers.findHeard(some.stream().map(WorkerId::value).toList()).stream()
                .collect(
                        Collectors.toUnmodifiableMap(
                                it -> WorkerId.of(it.id()),
                                it -> it.lastSeenAt().plus(settings.silence())));
    }

    /** Formats seconds without trailing zeros. */
    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }

    /**
     * Locks the worker until the transaction ends.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional
    public LabWorker hold(WorkerId id) {
        return lock(id).snapshot();
    }

    /** Locks the worker until the transaction ends; true if it may get work at once. */
    @Transactional
    public boolean holdFree(WorkerId id) {
        return lock(id).isFree(clock.instant(), settings.longestCooling());
    }

    @Transactional
    public void occupy(WorkerId id) {
        lock(id).occupy(clock.instant());
    }

    @Transactional
    public void release(WorkerId id) {
        lock(id).release(clock.instant());
    }

    /** Starts the cooldown of a worker that caused a failure. */
    @Transactional
    public void coolDown(WorkerId id) {
        lock(id).coolDown(clock.instant(), settings.cooling(), settings.longestCooling());
    }

    /** Ends the cooldown of a worker that completed its work. */
    @Transactional
    public void succeed(WorkerId id) {
        lock(id).succeed();
    }

    /** Number of workers in each state but LEFT. */
    @Transactional(readOnly = true, timeout = COUNT_TIMEOUT_SECONDS)
    public Map<WorkerState, Long> count() {
        return workers.countByState().stream()
                .collect(
                        Collectors.toUnmodifiableMap(
                                WorkerRepository.OfState::state,
                                WorkerRepository.OfState::workers));
    }

    /** The live workers, oldest first. */
    @Transactional(readOnly = true)
    public List<LabWorker> live() {
        Instant now = clock.instant();
        return workers.findByStateInOrderByJoinedAt(LIVE).stream()
                .map(it -> current(it, now))
                .toList();
    }

    /** The snapshot without its cooldown and its time to join the cluster if they have ended. */
    private LabWorker current(Worker worker, Instant now) {
        return worker.snapshot()
                .at(now, settings.longestCooling())
                .formedAt(now, settings.clusterForming());
    }

    /**
     * Returns a worker that has not been removed.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional(readOnly = true)
    LabWorker show(WorkerId id) {
        return workers.findById(id.value())
                .filter(it -> !it.isRemoved())
                .map(it -> current(it, clock.instant()))
                .orElseThrow(() -> notFound(id));
    }

    /**
     * Returns the worker, which may have been removed since.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional(readOnly = true)
    public LabWorker find(WorkerId id) {
        return workers.findById(id.value()).map(Worker::snapshot).orElseThrow(() -> notFound(id));
    }

    /**
     * The data addresses that these workers reported when they registered, in the same order; empty
     * if one of them, of an earlier version, has reported none.
     */
    @Transactional(readOnly = true)
    public Optional<List<String>> dataAddresses(List<WorkerId> some) {
        Map<UUID, String> known =
                workers.findDataAddresses(some.stream().map(WorkerId::value).toList()).stream()
                        .collect(
                                Collectors.toMap(
                                        WorkerRepository.DataAddress::id,
                                        WorkerRepository.DataAddress::address));
        List<String> addresses =
                some.stream().flatMap(it -> Stream.ofNullable(known.get(it.value()))).toList();
        return addresses.size() == some.size() ? Optional.of(addresses) : Optional.empty();
    }

    /**
     * The names of these workers, in the same order; empty if the agent of one speaks an earlier
     * protocol, and cannot compare its data and weights with those of other ranks.
     */
    @Transactional(readOnly = true)
    public Optional<List<String>> namesIfComparing(List<WorkerId> some) {
        Map<UUID, String> known =
                workers.findNames(some.stream().map(WorkerId::value).toList()).stream()
                        .filter(it -> canCompare(it.protocol()))
                        .collect(
                                Collectors.toMap(
                                        WorkerRepository.Named::id, WorkerRepository.Named::name));
        List<String> names =
                some.stream().flatMap(it -> Stream.ofNullable(known.get(it.value()))).toList();
        return names.size() == some.size() ? Optional.of(names) : Optional.empty();
    }

    private static boolean canCompare(String protocol) {
        return !ProtocolVersion.of(protocol).isOlderThan(ProtocolVersion.COMPARISONS_AND_MODELS);
    }

    /** Groups workers by host: co-located workers slow one another. */
    public static List<List<LabWorker>> byMachine(List<LabWorker> some) {
        return List.copyOf(
                some.stream()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.host().name(),
                                        LinkedHashMap::new,
                                        Collectors.toList()))
                        .values());
    }

    /** All pairs of workers of which the first does not see the second in the cluster. */
    public static List<UnreachablePeer> gaps(Collection<LabWorker> some) {
        return ClusterFormation.gaps(some);
    }

    /** The workers that at least one other of them sees in the cluster, in the given order. */
    public static List<LabWorker> seen(Collection<LabWorker> some) {
        return ClusterFormation.seen(some);
    }

    /**
     * The reasons why some workers cannot take part in the same run; empty if they can.
     *
     * @param live the lab's workers, whose probes count as well
     */
    public static List<ReachabilityFailure> reachabilityFailures(
            Collection<LabWorker> some, List<LabWorker> live) {
        return Reachability.failures(some, live);
    }

    /**
     * The workers that can take part in the same run, in the given order.
     *
     * @param live the lab's workers, whose probes count as well
     */
    public static List<LabWorker> reachable(List<LabWorker> some, List<LabWorker> live) {
        return Reachability.group(some, live);
    }

    @Transactional(readOnly = true)
    List<LabWorker> list(Set<WorkerState> states, NewestFirstKey after, int limit) {
        Instant now = clock.instant();
        Set<WorkerState> wanted = states.isEmpty() ? EnumSet.allOf(WorkerState.class) : states;
        return workers.findNewest(wanted, after.at(), after.id(), Limit.of(limit)).stream()
                .map(it -> current(it, now))
                .toList();
    }

    /**
     * Locks a worker that has not been removed, until the transaction ends.
     *
     * @throws Problem {@code not-found}
     */
    Worker lock(WorkerId id) {
        return workers.findForUpdate(id.value())
                .filter(it -> !it.isRemoved())
                .orElseThrow(() -> notFound(id));
    }

    private static Problem notFound(WorkerId id) {
        return Problem.notFound("worker", id);
    }
}
