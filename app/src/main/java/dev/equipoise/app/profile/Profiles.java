package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
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
    private static final int MOST_PENDING = 1000;

    private final ProfileRepository profiles;
    private final Workers workers;
    private final Clock clock;

    Profiles(ProfileRepository profiles, Workers workers, Clock clock) {
        this.profiles = profiles;
        this.workers = workers;
        this.clock = clock;
    }

    /** A profile that waits for its worker. */
    public record Pending(UUID id, WorkerId worker) {}

    /**
     * The profile of the network's training step that is on its way, or else a new one.
     *
     * @throws Problem {@code illegal-state} where nobody would ever measure it
     */
    @Transactional
    ProfileView request(WorkerId worker, String network) {
        WorkerState state = workers.find(worker).state();
        if (!state.isLive()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is %s and cannot be profiled".formatted(worker, state));
        }
        return underWayOrNew(worker, new Kernel.TrainingStep(network)).view();
    }

    /** Asks for a profile of the kernel unless one is on its way. */
    @Transactional
    public void require(WorkerId worker, Kernel.TrainingStep kernel) {
        underWayOrNew(worker, kernel);
    }

    /**
     * The newest complete measurement of the kernel by the worker, ascending by size; empty where
     * there is none.
     */
    @Transactional(readOnly = true)
    public List<MeasuredPoint> newest(WorkerId worker, Kernel kernel) {
        return profiles
                .findByWorkerIdAndStateOrderByRequestedAtDesc(worker.value(), ProfileState.COMPLETE)
                .stream()
                .map(profile -> profile.pointsOf(kernel))
                .filter(points -> !points.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Those that no worker has begun, oldest first. */
    @Transactional(readOnly = true)
    public List<Pending> pending() {
        return profiles
                .findByStateOrderByRequestedAt(ProfileState.PENDING, Limit.of(MOST_PENDING))
                .stream()
                .map(profile -> new Pending(profile.view().id(), profile.worker()))
                .toList();
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
            case AgentEvent.ReplicaReady _, AgentEvent.RoundReached _, AgentEvent.EpochFinished _ ->
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

    private Profile underWayOrNew(WorkerId worker, Kernel.TrainingStep kernel) {
        return profiles.findByWorkerIdAndStateIn(worker.value(), UNDER_WAY).stream()
                .filter(profile -> profile.measures(kernel))
                .findFirst()
                .orElseGet(() -> open(worker, kernel));
    }

    private Profile open(WorkerId worker, Kernel.TrainingStep kernel) {
        List<Measurement> measurements =
                List.of(
                        new Measurement(kernel, BATCHES),
                        new Measurement(new Kernel.Gemm(), MATRICES));
        return profiles.save(new Profile(worker, measurements, clock.instant()));
    }

    private Profile load(UUID id) {
        return profiles.findById(id).orElseThrow(() -> Problem.notFound("profile", id));
    }
}
