package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Stores sessions of profiles: one profile for each of some co-located workers. */
@Component
class ProfileSessions implements SessionStore {

    private static final Logger log = LoggerFactory.getLogger(ProfileSessions.class);

    private static final String PEER_LOST = "peer-lost";

    private final ProfileRepository profiles;
    private final Sessions sessions;
    private final Workers workers;
    private final Clock clock;

    ProfileSessions(ProfileRepository profiles, Sessions sessions, Workers workers, Clock clock) {
        this.profiles = profiles;
        this.sessions = sessions;
        this.workers = workers;
        this.clock = clock;
    }

    /**
     * Returns the unfinished session of equal requests, or else opens one. Needs locked workers, so
     * that the second of two concurrent requests finds the first.
     *
     * @param slowDown emulated slowdown of each worker during the measurement
     */
    List<Profile> openOrExisting(
            List<LabWorker> company,
            Function<WorkerId, ProfileRequest> wanted,
            ToDoubleFunction<WorkerId> slowDown) {
        LabWorker first = company.getFirst();
        return profiles
                .findByWorkerIdAndNetworkAndStateIn(
                        first.id().value(),
                        wanted.apply(first.id()).network().name(),
                        MeasurementState.UNFINISHED)
                .stream()
                .map(it -> profiles.findBySessionOrderByRank(it.session()))
                .filter(session -> isOf(session, company))
                .filter(session ->
                        session.stream()
                                .allMatch(it ->
                                        it.matches(
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
        HostLoad load = HostLoad.of(company, slowDown);
        return IntStream.range(0, company.size())
                .mapToObj(rank -> {
                    WorkerId worker = company.get(rank).id();
                    var membership =
                            new Profile.Membership(
                                    session,
                                    rank,
                                    company.size(),
                                    load,
                                    slowDown.applyAsDouble(worker));
                    return open(company.get(rank), membership, wanted.apply(worker));
                })
                .toList();
    }

    /** Opens one profile of a session. */
    Profile open(LabWorker worker, Profile.Membership membership, ProfileRequest wanted) {
        int before =
                profiles.countByWorkerIdAndNetwork(worker.id().value(), wanted.network().name());
        return profiles.save(new Profile(worker, before + 1, membership, wanted, clock.instant()));
    }

    Profile load(UUID id) {
        return profiles.findById(id).orElseThrow(() -> notFound(id));
    }

    private static Problem notFound(UUID id) {
        return Problem.notFound("profile", id);
    }

    @Override
    public List<OpenSession> open() {
        SequencedMap<UUID, List<ProfileRepository.Open>> bySession =
                profiles
                        .findByStateInOrderByRequestedAtAscSessionAscRankAsc(
                                MeasurementState.UNFINISHED)
                        .stream()
                        .collect(
                                Collectors.groupingBy(
                                        ProfileRepository.Open::session,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        return bySession.entrySet().stream()
                .map(it -> session(it.getKey(), it.getValue()))
                .toList();
    }

    private static OpenSession session(UUID id, List<ProfileRepository.Open> open) {
        return new OpenSession(
                MeasurementKind.PROFILES,
                id,
                open.stream().map(it -> WorkerId.of(it.workerId())).toList(),
                open.stream().allMatch(it -> it.state() == MeasurementState.PENDING));
    }

    @Override
    public Session lock(UUID session) {
        return new Session(profiles.findSessionForUpdate(session));
    }

    @Override
    public Session lockOf(UUID part) {
        return lock(profiles.findSession(part).orElseThrow(() -> notFound(part)));
    }

    @Override
    public SequencedMap<WorkerId, MeasurementTask> claim(Session session) {
        SequencedMap<WorkerId, MeasurementTask> tasks = new LinkedHashMap<>();
        for (SessionPart part : session.parts()) {
            Profile profile = (Profile) part;
            tasks.put(profile.worker(), profile.task());
        }
        return tasks;
    }

    @Override
    public void begin(MeasurementTask task) {
        load(task.id()).begin();
    }

    @Override
    public Assignment assignment(
            MeasurementTask task, AssignmentId id, int generation, String key) {
        Profile profile = load(task.id());
        List<WorkerId> peers =
                profiles.findBySessionOrderByRank(profile.session()).stream()
                        .map(Profile::worker)
                        .toList();
        return new Assignment.Profiling(
                id,
                generation,
                profile.session(),
                profile.rank(),
                peers,
                key,
                profile.architecture(),
                profile.measurements(),
                profile.precision(),
                profile.slowDown(),
                workers.dataAddresses(peers).orElse(null));
    }

    @Override
    public void record(MeasurementTask task, AgentEvent event) {
        Profile profile = load(task.id());
        if (profile.isOver()) {
            return;
        }
        switch (Problem.requireKind(ProfileReport.class, event, "a profile")) {
            case ProfileReport.PointMeasured point -> profile.add(point);
            case Outcome.Finished _ -> finish(profile);
            case Outcome.Failed failed -> fail(profile, failed);
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

    /** A worker that lost a peer reports first and did not fail itself: cancels its profile. */
    private void fail(Profile profile, Outcome.Failed failed) {
        String reason = failed.code() + ": " + failed.message();
        if (failed.code().equals(PEER_LOST)) {
            profile.cancel(reason, clock.instant());
            log.warn("profile canceled: {}: {}", profile.id(), reason);
        } else {
            Session session = lock(profile.session());
            sessions.fail(session, session.part(profile.id()), reason);
        }
    }

    @Override
    public String lossOf(MeasurementTask task, String how) {
        return "the worker " + how;
    }
}
