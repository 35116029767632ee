package dev.equipoise.app.profile;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerCordoned;
import dev.equipoise.app.worker.WorkerGone;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The profiles of the workers. */
@Service
public class Profiles {

    private static final Logger log = LoggerFactory.getLogger(Profiles.class);

    private static final Set<ProfileState> UNDER_WAY =
            EnumSet.of(ProfileState.PENDING, ProfileState.MEASURING);

    private static final String PEER_LOST = "peer-lost";

    private final ProfileRepository profiles;
    private final Workers workers;
    private final ProfileSettings settings;
    private final Audit audit;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Profiles(
            ProfileRepository profiles,
            Workers workers,
            ProfileSettings settings,
            Audit audit,
            ApplicationEventPublisher events,
            Clock clock) {
        this.profiles = profiles;
        this.workers = workers;
        this.settings = settings;
        this.audit = audit;
        this.events = events;
        this.clock = clock;
    }

    /**
     * A session that is not over.
     *
     * @param workers that have not measured all yet, in the order of their ranks
     * @param isPending whether none of them has begun
     */
    public record UnderWay(UUID session, List<WorkerId> workers, boolean isPending) {

        public UnderWay {
            workers = List.copyOf(workers);
        }
    }

    /**
     * What a run needs of a worker.
     *
     * @param size the mini-batch at which it is measured; null for the whole range
     * @param slowDown the factor by which the run stretches its computing
     */
    public record Part(@Nullable Integer size, double slowDown) {

        ProfileRequest of(Architecture network) {
            return size == null ? ProfileRequest.of(network) : ProfileRequest.at(network, size);
        }
    }

    /**
     * What a worker is to measure, and with whom.
     *
     * @param peers the workers of its session, in the order of their ranks
     * @param slowDown the factor by which it is stretched meanwhile
     */
    public record Dispatch(
            UUID session,
            int rank,
            List<WorkerId> peers,
            Architecture network,
            List<Measurement> measurements,
            Precision precision,
            double slowDown) {

        public Dispatch {
            peers = List.copyOf(peers);
            measurements = List.copyOf(measurements);
        }
    }

    /**
     * The profile that is asked for and is on its way, or else a new one.
     *
     * @param company the workers that measure at the same time, the one among them
     * @return of the one
     * @throws Problem {@code illegal-state} where nobody would ever measure it, {@code
     *     invalid-request} where the workers are not on one machine
     */
    @Transactional
    ProfileView request(
            Caller.User caller, WorkerId one, Set<WorkerId> company, ProfileRequest wanted) {
        List<LabWorker> held = held(company);
        for (LabWorker worker : held) {
            if (!worker.takesWork()) {
                throw Problem.of(
                        ErrorCode.ILLEGAL_STATE,
                        "Worker %s is %s and cannot be profiled"
                                .formatted(worker.id(), worker.standing()));
            }
        }
        requireOneMachine(held);
        audit.note(
                caller,
                Change.of("profile-requested", "worker", one).with("together", held.size()));
        return underWayOrNew(held, _ -> wanted, _ -> 1).stream()
                .filter(it -> it.worker().equals(one))
                .findFirst()
                .orElseThrow()
                .view();
    }

    private static void requireOneMachine(List<LabWorker> company) {
        List<String> machines =
                company.stream().map(it -> it.host().name()).distinct().sorted().toList();
        if (machines.size() > 1) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("/company", "must be workers of one machine", machines)));
        }
    }

    /**
     * Asks for profiles of the network's training step unless they are on their way, or one of the
     * workers is gone.
     *
     * @param company workers of one machine, which measure at the same time, as busy as the run
     *     will make them
     */
    @Transactional
    public void require(Map<WorkerId, Part> company, Architecture network) {
        List<LabWorker> held = held(company.keySet());
        if (held.stream().allMatch(LabWorker::takesWork)) {
            underWayOrNew(
                    held,
                    worker -> part(company, worker).of(network),
                    worker -> part(company, worker).slowDown());
        }
    }

    private static Part part(Map<WorkerId, Part> company, WorkerId worker) {
        return Objects.requireNonNull(company.get(worker));
    }

    /** Always in the same order, so that no two wait for each other. */
    private List<LabWorker> held(Set<WorkerId> company) {
        return company.stream()
                .sorted(Comparator.comparing(WorkerId::toString))
                .map(workers::hold)
                .toList();
    }

    /**
     * Present where the last profiles of the kernel came all to nothing, and are enough of them;
     * those that somebody has cancelled are not counted.
     */
    @Transactional(readOnly = true)
    public Optional<Failing> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return Failing.of(
                profiles
                        .findTried(worker.value(), kernel.network(), Limit.of(Failing.TIMES))
                        .stream()
                        .map(it -> new Failing.Past(it.state(), it.requestedAt(), it.failure()))
                        .toList());
    }

    /**
     * All sessions that are not over, oldest first. Each worker that is heard from is asked for the
     * same once, so that there are never many.
     */
    @Transactional(readOnly = true)
    public List<UnderWay> underWay() {
        SequencedMap<UUID, List<ProfileRepository.Open>> sessions =
                profiles.findByStateInOrderByRequestedAtAscSessionAscRankAsc(UNDER_WAY).stream()
                        .collect(
                                Collectors.groupingBy(
                                        ProfileRepository.Open::session,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        return sessions.entrySet().stream()
                .map(it ->
                        new UnderWay(
                                it.getKey(),
                                it.getValue().stream()
                                        .map(open -> WorkerId.of(open.workerId()))
                                        .toList(),
                                it.getValue().stream()
                                        .allMatch(open -> open.state() == ProfileState.PENDING)))
                .toList();
    }

    /**
     * The profiles of a session that waits for its workers, by these; none of one that does not.
     */
    @Transactional
    public Map<WorkerId, UUID> pending(UUID session) {
        List<Profile> all = profiles.findSessionForUpdate(session);
        return all.stream().allMatch(it -> it.state() == ProfileState.PENDING)
                ? all.stream().collect(Collectors.toMap(Profile::worker, Profile::id))
                : Map.of();
    }

    /** Keeps others away from the session of a profile until the transaction ends. */
    @Transactional
    public void hold(UUID id) {
        session(id);
    }

    /** What the profile's worker shall measure. */
    @Transactional(readOnly = true)
    public Dispatch dispatch(UUID id) {
        Profile profile = load(id);
        return new Dispatch(
                profile.session(),
                profile.rank(),
                profiles.findBySessionOrderByRank(profile.session()).stream()
                        .map(Profile::worker)
                        .toList(),
                profile.architecture(),
                profile.measurements(),
                profile.precision(),
                profile.slowDown());
    }

    @Transactional
    public void begin(UUID id) {
        load(id).begin();
    }

    /** Takes what the worker says of the profile; of one that is over it changes nothing. */
    @Transactional
    public void record(UUID id, AgentEvent event) {
        Profile profile = load(id);
        if (profile.state().isTerminal()) {
            return;
        }
        switch (event) {
            case AgentEvent.PointMeasured point -> profile.add(point);
            case AgentEvent.Finished _ -> finish(profile);
            case AgentEvent.Failed failed -> fail(profile, failed);
            case AgentEvent.LinkMeasured _,
                    AgentEvent.AllReduceMeasured _,
                    AgentEvent.ReplicaReady _,
                    AgentEvent.RoundReached _,
                    AgentEvent.Observed _,
                    AgentEvent.EpochFinished _,
                    AgentEvent.Traced _,
                    AgentEvent.Noted _,
                    AgentEvent.Preempted _,
                    AgentEvent.Interrupted _,
                    AgentEvent.Decided _,
                    AgentEvent.Unknown _ ->
                    throw Problem.of(
                            ErrorCode.INVALID_REQUEST,
                            "%s does not belong to a profile".formatted(event));
        }
    }

    /** Ends a profile, and with it those of its companions that have not come to their end. */
    @Transactional
    public void fail(UUID id, String reason) {
        List<Profile> session = session(id);
        session.stream()
                .filter(profile -> profile.id().equals(id))
                .forEach(profile -> fail(session, profile.worker(), reason));
    }

    /** Who lost a companion tells of it before the companion does, and is not the one to blame. */
    private void fail(Profile profile, AgentEvent.Failed failed) {
        String reason = failed.code() + ": " + failed.message();
        if (failed.code().equals(PEER_LOST)) {
            profile.cancel(reason, clock.instant());
            log.warn("profile cancelled: {}: {}", profile.id(), reason);
        } else {
            fail(profile.id(), reason);
        }
    }

    private void finish(Profile profile) {
        profile.finish(clock.instant());
        log.info(
                "profile ended: {} of worker {}: {}",
                profile.id(),
                profile.worker(),
                profile.state());
    }

    @EventListener
    @Transactional
    void on(WorkerGone gone) {
        for (UUID session : profiles.findSessions(gone.worker().value(), UNDER_WAY)) {
            fail(
                    profiles.findSessionForUpdate(session),
                    gone.worker(),
                    "worker %s %s".formatted(gone.name(), gone.how()));
        }
    }

    /** What it has not begun would keep its companions waiting. */
    @EventListener
    @Transactional
    void on(WorkerCordoned cordoned) {
        for (UUID id : profiles.findSessions(cordoned.worker().value(), UNDER_WAY)) {
            List<Profile> session = profiles.findSessionForUpdate(id);
            if (session.stream().allMatch(it -> it.state() == ProfileState.PENDING)) {
                giveUp(session);
            }
        }
    }

    private void giveUp(List<Profile> session) {
        List<Profile> open = session.stream().filter(it -> !it.state().isTerminal()).toList();
        open.forEach(it -> it.giveUp(clock.instant()));
        Set<UUID> ended = open.stream().map(Profile::id).collect(Collectors.toSet());
        log.info("profiles cancelled: {}", ended);
        events.publishEvent(new ProfilesGivenUp(ended));
    }

    private void fail(List<Profile> session, WorkerId culprit, String reason) {
        Set<UUID> ended = new HashSet<>();
        for (Profile profile : session) {
            if (!profile.state().isTerminal()) {
                if (profile.worker().equals(culprit)) {
                    profile.fail(reason, clock.instant());
                } else {
                    profile.cancel(
                            "with the profile of worker %s: %s".formatted(culprit, reason),
                            clock.instant());
                }
                ended.add(profile.id());
            }
        }
        if (!ended.isEmpty()) {
            log.warn("profiles failed: {}: {}", ended, reason);
            events.publishEvent(new ProfilesGivenUp(ended));
        }
    }

    /**
     * Gives a profile up, and with it those of its companions that have not come to their end, as
     * nobody goes on without the others.
     *
     * @throws Problem {@code illegal-state} where it is over
     */
    @Transactional
    ProfileView cancel(Caller.User caller, UUID id) {
        List<Profile> session = session(id);
        Profile wanted = load(id);
        if (wanted.state().isTerminal()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Profile %s is %s and cannot be cancelled".formatted(id, wanted.state()));
        }
        giveUp(session);
        audit.note(caller, Change.of("profile-cancelled", "profile", id));
        return wanted.view();
    }

    /**
     * Takes a file for a measurement of the worker.
     *
     * @throws Problem {@code invalid-request} with all that is wrong with it
     */
    @Transactional
    ProfileView read(Caller.User caller, WorkerId id, String text) {
        CurveFile.Read file =
                CurveFile.read(text, clock.instant(), settings.oldest(clock.instant()));
        LabWorker worker = workers.hold(id);
        List<Violation> problems = new ArrayList<>(file.problems());
        Optional<Architecture> network = network(file.network());
        if (network.isEmpty()) {
            problems.add(
                    new Violation(
                            "/header/kernel",
                            "must be of a network of which there is a preset or a profile",
                            file.network()));
        }
        if (!problems.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, problems);
        }
        audit.note(caller, Change.of("profile-read", "worker", id));
        var wanted =
                ProfileRequest.imported(
                        network.orElseThrow(),
                        file.points().stream().map(MeasuredPoint::size).toList());
        Kernel kernel = wanted.measurements().getFirst().kernel();
        Profile profile =
                open(worker, new Profile.Place(UUID.randomUUID(), 0, 1, file.load(), 1), wanted);
        profile.fill(
                file.points().stream().map(it -> new KernelPoint(kernel, it)).toList(),
                file.date());
        return profile.view();
    }

    private Optional<Architecture> network(String name) {
        return Preset.named(name)
                .map(Preset::architecture)
                .or(() ->
                        profiles.findFirstByNetworkOrderByRequestedAtDesc(name)
                                .map(Profile::architecture));
    }

    /**
     * The points of a kernel.
     *
     * @throws Problem {@code not-found} where the profile is not of it
     */
    @Transactional(readOnly = true)
    CurveFile file(UUID id, String kernel) {
        Profile profile = load(id);
        return profile.measurements().stream()
                .map(Measurement::kernel)
                .filter(it -> it.label().equals(kernel) || it.label().startsWith(kernel + ":"))
                .findFirst()
                .map(profile::file)
                .orElseThrow(() -> Problem.notFound("kernel", kernel));
    }

    @Transactional(readOnly = true)
    ProfileView find(UUID id) {
        return load(id).view();
    }

    @Transactional(readOnly = true)
    List<ProfileView> of(WorkerId worker, Newest after, int limit) {
        workers.find(worker);
        return profiles.findNewest(worker.value(), after.at(), after.id(), Limit.of(limit)).stream()
                .map(Profile::view)
                .toList();
    }

    /** Of workers that are held, so that of two who ask at once the second finds the first's. */
    private List<Profile> underWayOrNew(
            List<LabWorker> company,
            Function<WorkerId, ProfileRequest> wanted,
            ToDoubleFunction<WorkerId> slowDown) {
        LabWorker first = company.getFirst();
        return profiles
                .findByWorkerIdAndNetworkAndStateIn(
                        first.id().value(), wanted.apply(first.id()).network().name(), UNDER_WAY)
                .stream()
                .map(it -> profiles.findBySessionOrderByRank(it.session()))
                .filter(session -> isOf(session, company))
                .filter(session ->
                        session.stream()
                                .allMatch(it ->
                                        it.answers(
                                                wanted.apply(it.worker()),
                                                slowDown.applyAsDouble(it.worker()))))
                .findFirst()
                .orElseGet(() -> open(company, wanted, slowDown));
    }

    private static boolean isOf(List<Profile> session, List<LabWorker> company) {
        return session.stream()
                .map(Profile::worker)
                .toList()
                .equals(company.stream().map(LabWorker::id).toList());
    }

    private List<Profile> open(
            List<LabWorker> company,
            Function<WorkerId, ProfileRequest> wanted,
            ToDoubleFunction<WorkerId> slowDown) {
        UUID session = UUID.randomUUID();
        Load load = Load.of(company, slowDown);
        return IntStream.range(0, company.size())
                .mapToObj(rank -> {
                    LabWorker worker = company.get(rank);
                    return open(
                            worker,
                            new Profile.Place(
                                    session,
                                    rank,
                                    company.size(),
                                    load,
                                    slowDown.applyAsDouble(worker.id())),
                            wanted.apply(worker.id()));
                })
                .toList();
    }

    private Profile open(LabWorker worker, Profile.Place place, ProfileRequest wanted) {
        int before =
                profiles.countByWorkerIdAndNetwork(worker.id().value(), wanted.network().name());
        return profiles.save(new Profile(worker, before + 1, place, wanted, clock.instant()));
    }

    private List<Profile> session(UUID id) {
        return profiles.findSessionForUpdate(
                profiles.findSession(id).orElseThrow(() -> Problem.notFound("profile", id)));
    }

    private Profile load(UUID id) {
        return profiles.findById(id).orElseThrow(() -> Problem.notFound("profile", id));
    }
}
