package dev.equipoise.app.worker;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Tokens;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
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
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** The workers of the lab. */
@Service
public class Workers {

    private static final Logger log = LoggerFactory.getLogger(Workers.class);
    private static final int COUNT_SECONDS = 5;
    private static final Set<WorkerState> LIVE =
            Arrays.stream(WorkerState.values())
                    .filter(WorkerState::isLive)
                    .collect(Collectors.toUnmodifiableSet());

    private static final Duration SIGHT_LIFE = Duration.ofHours(1);

    private final WorkerRepository workers;
    private final SightRepository sights;
    private final Neighbours neighbours;
    private final JsonMapper json;
    private final Tokens tokens;
    private final Audit audit;
    private final WorkerSettings settings;
    private final ApplicationEventPublisher events;
    private final Clock clock;
    private final Listening listening;

    Workers(
            WorkerRepository workers,
            SightRepository sights,
            Neighbours neighbours,
            JsonMapper json,
            Tokens tokens,
            Audit audit,
            WorkerSettings settings,
            ApplicationEventPublisher events,
            Clock clock) {
        this.workers = workers;
        this.sights = sights;
        this.neighbours = neighbours;
        this.json = json;
        this.tokens = tokens;
        this.audit = audit;
        this.settings = settings;
        this.events = events;
        this.clock = clock;
        this.listening = new Listening(settings.silence());
    }

    /**
     * May be repeated, as the answer may be lost: who comes again is the same worker.
     *
     * @throws Problem {@code incompatible-version} where the agent is more than a minor version
     *     older or newer
     */
    @Transactional
    Admission register(Caller.Newcomer newcomer, Registration registration) {
        requireNext(registration.version());
        WorkerId id =
                tokens.joined(newcomer, registration.credential())
                        .orElseGet(() -> admit(newcomer, registration));
        return new Admission(id, settings.clusterName(), LabCluster.membersFor(id, live()));
    }

    /** Those that do not tell their version are from before they did. */
    private static void requireNext(@Nullable SoftwareVersion agent) {
        if (agent != null && !agent.isNextTo(SoftwareVersion.OWN)) {
            throw Problem.of(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "The agent is of version %s and the service of %s, which may differ by one minor version at most: install an agent of version %s"
                            .formatted(agent, SoftwareVersion.OWN, SoftwareVersion.OWN.minor()));
        }
    }

    private WorkerId admit(Caller.Newcomer newcomer, Registration registration) {
        WorkerId id = WorkerId.of(UUID.randomUUID());
        workers.saveAndFlush(new Worker(id, registration, kept(Set.of()), clock.instant()));
        tokens.redeem(newcomer, id, registration.name(), registration.credential());
        log.info("worker registered: {} {}", registration.name(), id);
        events.publishEvent(new NeighboursChanged());
        return id;
    }

    @Transactional
    HeartbeatReply hear(Caller.Agent agent, Heartbeat heartbeat) {
        WorkerId id = agent.worker();
        Worker worker = lockPresent(id);
        if (!worker.sees(Sight.of(heartbeat.sees()).digest())) {
            worker.see(kept(heartbeat.sees()));
        }
        if (worker.hear(heartbeat, clock.instant())) {
            events.publishEvent(new NeighboursChanged());
        }
        LabWorker told = worker.snapshot(heartbeat.sees());
        List<LabWorker> known = neighbours.known(this::live);
        return new HeartbeatReply(
                // Whom it misses may have left since.
                LabCluster.mustRejoin(told, known) && LabCluster.mustRejoin(told, live()),
                worker.isDismissed(),
                isOld(agent.credentialSince()),
                LabCluster.membersFor(id, known));
    }

    private boolean isOld(Instant credentialSince) {
        return !clock.instant().isBefore(credentialSince.plus(settings.credentialLife()));
    }

    /**
     * Takes another credential of a worker.
     *
     * @throws Problem {@code illegal-state} where it has left, or has its own for a minute at most
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

    private Sight kept(Set<WorkerId> seen) {
        Sight sight = Sight.of(seen);
        sights.keep(sight.digest(), json.writeValueAsString(seen), clock.instant());
        return sights.getReferenceById(sight.digest());
    }

    /** What nobody sees any more; not what was told just now, whose teller may not be done. */
    @Transactional
    public void forgetSights() {
        sights.forget(clock.instant().minus(SIGHT_LIFE));
    }

    @Transactional
    void leave(WorkerId id) {
        var _ = leave(id, "left");
    }

    /**
     * Sends a worker away: nobody can speak for it any more, and its runs have lost it.
     *
     * @throws Problem {@code not-found}, or {@code illegal-state} where it has left
     */
    @Transactional
    LabWorker expel(Caller.User caller, WorkerId id) {
        LabWorker expelled = leave(id, "was sent away");
        audit.note(
                caller, Change.of("worker-expelled", "worker", id).with("name", expelled.name()));
        return expelled;
    }

    private LabWorker leave(WorkerId id, String how) {
        Worker worker = lock(id);
        worker.leave();
        tokens.revoke(id);
        LabWorker left = worker.snapshot();
        log.info("worker {}: {} {}", how, left.name(), id);
        events.publishEvent(new NeighboursChanged());
        events.publishEvent(new WorkerGone(id, left.name(), how));
        return left;
    }

    /**
     * Lets a worker be given work, or not; saying the same again changes nothing.
     *
     * @throws Problem {@code not-found}, or {@code illegal-state} where it has left
     */
    @Transactional
    LabWorker cordon(Caller.User caller, WorkerId id, Cordon wanted) {
        Worker worker = lock(id);
        if (worker.cordon(wanted)) {
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
     * The workers that were silent for too long, and are not taken as lost yet; none where the
     * service itself could not hear them for so long. Is to be asked more often than they speak.
     */
    @Transactional(readOnly = true)
    public List<WorkerId> silent() {
        Instant now = clock.instant();
        List<Worker> unheard =
                workers.findUnheard(
                        LIVE, now.minus(settings.silence()), now.plus(settings.silence()));
        return listening.at(clock)
                ? unheard.stream().map(it -> it.snapshot().id()).toList()
                : List.of();
    }

    /** Takes a worker as lost, unless it has spoken meanwhile or another has found it silent. */
    @Transactional
    public void lose(WorkerId id) {
        Worker worker = lock(id);
        LabWorker silent = worker.snapshot();
        if (!silent.state().isLive() || isHeard(silent)) {
            return;
        }
        worker.lose();
        log.warn("worker lost: {} {}", silent.name(), id);
        events.publishEvent(new NeighboursChanged());
        events.publishEvent(
                new WorkerGone(
                        id,
                        silent.name(),
                        "was silent for %s s".formatted(seconds(settings.silence()))));
    }

    /** The workers that have been lost for longer than anybody waits for them. */
    @Transactional(readOnly = true)
    public List<WorkerId> absent() {
        return workers.findByStateAndLastSeenAtBefore(WorkerState.LOST, lastWaitedFor()).stream()
                .map(it -> it.snapshot().id())
                .toList();
    }

    /** Waits no longer for a worker, unless it has spoken or left meanwhile. */
    @Transactional
    public void giveUp(WorkerId id) {
        LabWorker absent = lock(id).snapshot();
        if (absent.state() == WorkerState.LOST && absent.lastSeenAt().isBefore(lastWaitedFor())) {
            var _ = leave(id, "was lost for too long");
        }
    }

    private Instant lastWaitedFor() {
        return clock.instant().minus(settings.absence());
    }

    /** Not who spoke long after now either: the clock was put back. */
    private boolean isHeard(LabWorker worker) {
        Duration since = Duration.between(worker.lastSeenAt(), clock.instant());
        return since.abs().compareTo(settings.silence()) <= 0;
    }

    /** Without a fraction where there is none. */
    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }

    /**
     * Keeps others away from the worker until the transaction ends.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional
    public LabWorker hold(WorkerId id) {
        return lock(id).snapshot();
    }

    /** Holds the worker and tells whether it may be given work at once. */
    @Transactional
    public boolean holdFree(WorkerId id) {
        return lock(id).isFree(clock.instant());
    }

    @Transactional
    public void occupy(WorkerId id) {
        lock(id).occupy();
    }

    @Transactional
    public void release(WorkerId id) {
        lock(id).release();
    }

    /** Gives a worker no work for some time, as it has failed at some. */
    @Transactional
    public void coolDown(WorkerId id) {
        lock(id).coolDown(clock.instant(), settings.cooling(), settings.longestCooling());
    }

    /** Says that a worker has done its work well. */
    @Transactional
    public void succeed(WorkerId id) {
        lock(id).succeed();
    }

    /** How many there are of each state, but for those that have left. */
    @Transactional(readOnly = true, timeout = COUNT_SECONDS)
    public Map<WorkerState, Long> count() {
        return workers.countByState().stream()
                .collect(
                        Collectors.toUnmodifiableMap(
                                WorkerRepository.OfState::state,
                                WorkerRepository.OfState::workers));
    }

    /** All that are heard from, oldest first. */
    @Transactional(readOnly = true)
    public List<LabWorker> live() {
        Instant now = clock.instant();
        return workers.findByStateInOrderByJoinedAt(LIVE).stream()
                .map(Worker::snapshot)
                .map(it -> it.at(now))
                .toList();
    }

    /**
     * Looks one up.
     *
     * @throws Problem {@code not-found}
     */
    @Transactional(readOnly = true)
    public LabWorker find(WorkerId id) {
        return workers.findById(id.value()).map(Worker::snapshot).orElseThrow(() -> notFound(id));
    }

    /** Those that share a machine, and slow one another when they compute at the same time. */
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

    /** Who of the workers does not see whom of them in the cluster. */
    public static List<Gap> gaps(Collection<LabWorker> some) {
        return LabCluster.gaps(some);
    }

    /** Those of the workers that another one of them sees in the cluster, in their order. */
    public static List<LabWorker> seen(Collection<LabWorker> some) {
        return LabCluster.seen(some);
    }

    @Transactional(readOnly = true)
    List<LabWorker> list(Set<WorkerState> states, Newest after, int limit) {
        Set<WorkerState> wanted = states.isEmpty() ? EnumSet.allOf(WorkerState.class) : states;
        return workers.findNewest(wanted, after.at(), after.id(), Limit.of(limit)).stream()
                .map(Worker::snapshot)
                .toList();
    }

    private Worker lock(WorkerId id) {
        return workers.findForUpdate(id.value()).orElseThrow(() -> notFound(id));
    }

    private static Problem notFound(WorkerId id) {
        return Problem.notFound("worker", id);
    }
}
