package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The profiles of the workers. */
@Service
public class Profiles {

    private static final Logger log = LoggerFactory.getLogger(Profiles.class);

    /** Mini-batches from where the overhead shows to where the speed is flat. */
    private static final List<Integer> BATCHES = List.of(8, 16, 32, 64, 96, 128, 192, 256);

    private static final List<Integer> MATRICES = List.of(64, 128, 256, 512);
    private static final Set<ProfileState> UNDER_WAY =
            EnumSet.of(ProfileState.PENDING, ProfileState.MEASURING);
    private static final Set<ProfileState> OVER =
            EnumSet.of(ProfileState.COMPLETE, ProfileState.FAILED);

    private final ProfileRepository profiles;
    private final Workers workers;
    private final Clock clock;

    Profiles(ProfileRepository profiles, Workers workers, Clock clock) {
        this.profiles = profiles;
        this.workers = workers;
        this.clock = clock;
    }

    /** A profile that is not over. */
    public record UnderWay(UUID id, WorkerId worker, ProfileState state) {}

    /**
     * The profile of the network's training step that is on its way, or else a new one.
     *
     * @throws Problem {@code illegal-state} where nobody would ever measure it
     */
    @Transactional
    ProfileView request(WorkerId worker, Architecture network) {
        LabWorker held = workers.hold(worker);
        WorkerState state = held.state();
        if (!state.isLive()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is %s and cannot be profiled".formatted(worker, state));
        }
        return underWayOrNew(held, network).view();
    }

    /**
     * Asks for a profile of the network's training step unless one is on its way, or the worker is
     * gone.
     */
    @Transactional
    public void require(WorkerId worker, Architecture network) {
        LabWorker held = workers.hold(worker);
        if (held.state().isLive()) {
            underWayOrNew(held, network);
        }
    }

    /**
     * The newest complete measurement of the kernel by the worker, ascending by size; empty where
     * there is none.
     */
    @Transactional(readOnly = true)
    public List<MeasuredPoint> newest(WorkerId worker, Kernel.TrainingStep kernel) {
        return profiles.findFirstByWorkerIdAndNetworkAndStateInOrderByRequestedAtDesc(
                        worker.value(), kernel.network(), EnumSet.of(ProfileState.COMPLETE))
                .map(profile -> profile.pointsOf(kernel))
                .orElse(List.of());
    }

    /** Present where the last profiles of the kernel have all failed, and are enough of them. */
    @Transactional(readOnly = true)
    public Optional<Failing> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return Failing.of(
                profiles
                        .findByWorkerIdAndNetworkAndStateInOrderByRequestedAtDesc(
                                worker.value(), kernel.network(), OVER, Limit.of(Failing.TIMES))
                        .stream()
                        .map(it -> new Failing.Past(it.state(), it.requestedAt(), it.failure()))
                        .toList());
    }

    /**
     * All that are not over, oldest first. Each worker that is heard from has at most one of each
     * network, so that there are never many.
     */
    @Transactional(readOnly = true)
    public List<UnderWay> underWay() {
        return profiles.findByStateInOrderByRequestedAt(UNDER_WAY).stream()
                .map(it -> new UnderWay(it.id(), WorkerId.of(it.workerId()), it.state()))
                .toList();
    }

    /** Whose training step the profile's worker shall measure. */
    @Transactional(readOnly = true)
    public Architecture network(UUID id) {
        return load(id).architecture();
    }

    /** What the profile's worker shall measure. */
    @Transactional(readOnly = true)
    public List<Measurement> measurements(UUID id) {
        return load(id).measurements();
    }

    @Transactional
    public void begin(UUID id) {
        load(id).begin();
    }

    /** Takes what the worker says of the profile. */
    @Transactional
    public void record(UUID id, AgentEvent event) {
        Profile profile = load(id);
        switch (event) {
            case AgentEvent.PointMeasured point -> profile.add(point);
            case AgentEvent.Finished _ -> {
                profile.finish(clock.instant());
                log.info("profile finished: {} of worker {}", id, profile.worker());
            }
            case AgentEvent.Failed failed -> fail(id, failed.code() + ": " + failed.message());
            case AgentEvent.LinkMeasured _,
                    AgentEvent.ReplicaReady _,
                    AgentEvent.RoundReached _,
                    AgentEvent.EpochFinished _,
                    AgentEvent.Traced _,
                    AgentEvent.Decided _ ->
                    throw Problem.of(
                            ErrorCode.INVALID_REQUEST,
                            "%s does not belong to a profile".formatted(event));
        }
    }

    @Transactional
    public void fail(UUID id, String reason) {
        load(id).fail(reason, clock.instant());
        log.warn("profile failed: {}: {}", id, reason);
    }

    @Transactional(readOnly = true)
    ProfileView find(UUID id) {
        return load(id).view();
    }

    @Transactional(readOnly = true)
    List<ProfileView> of(WorkerId worker, int limit) {
        workers.find(worker);
        return profiles
                .findByWorkerIdOrderByRequestedAtDesc(worker.value(), Limit.of(limit))
                .stream()
                .map(Profile::view)
                .toList();
    }

    /** Of a worker that is held, so that of two who ask at once the second finds the first's. */
    private Profile underWayOrNew(LabWorker worker, Architecture network) {
        return profiles.findFirstByWorkerIdAndNetworkAndStateInOrderByRequestedAtDesc(
                        worker.id().value(), network.name(), UNDER_WAY)
                .orElseGet(() -> open(worker, network));
    }

    private Profile open(LabWorker worker, Architecture network) {
        return profiles.save(
                new Profile(
                        worker,
                        network,
                        BATCHES,
                        new Measurement(new Kernel.Gemm(), MATRICES),
                        clock.instant()));
    }

    private Profile load(UUID id) {
        return profiles.findById(id).orElseThrow(() -> Problem.notFound("profile", id));
    }
}
