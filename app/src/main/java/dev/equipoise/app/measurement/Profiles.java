package dev.equipoise.app.measurement;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Requests, imports, exports, lists and cancels profiles. */
@Service
public class Profiles {

    private final ProfileRepository profiles;
    private final ProfileSessions store;
    private final Sessions sessions;
    private final Workers workers;
    private final ProfileSettings settings;
    private final Audit audit;
    private final Clock clock;

    Profiles(
            ProfileRepository profiles,
            ProfileSessions store,
            Sessions sessions,
            Workers workers,
            ProfileSettings settings,
            Audit audit,
            Clock clock) {
        this.profiles = profiles;
        this.store = store;
        this.sessions = sessions;
        this.workers = workers;
        this.settings = settings;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * The measurement of one worker that a run needs.
     *
     * @param size mini-batch size of a partial FPM; null for the whole range
     * @param slowDown emulated slowdown of the worker in the run
     */
    public record Requirement(@Nullable Integer size, double slowDown) {

        ProfileRequest of(Architecture network) {
            return size == null ? ProfileRequest.of(network) : ProfileRequest.at(network, size);
        }
    }

    /**
     * Returns the unfinished profile of an equal request, or else requests one.
     *
     * @param company the workers that measure at the same time, {@code one} included
     * @return the profile of {@code one}
     * @throws Problem {@code illegal-state} if a worker takes no work, {@code invalid-request} if
     *     the workers are not on one host
     */
    @Transactional
    ProfileView request(
            Caller.User caller, WorkerId one, Set<WorkerId> company, ProfileRequest wanted) {
        List<LabWorker> locked = sessions.lockReady(company, "cannot be profiled");
        requireOneHost(locked);
        audit.note(
                caller,
                Change.of("profile-requested", "worker", one).with("together", locked.size()));
        return view(
                store.openOrExisting(locked, _ -> wanted, _ -> 1).stream()
                        .filter(it -> it.worker().equals(one))
                        .findFirst()
                        .orElseThrow());
    }

    private static void requireOneHost(List<LabWorker> company) {
        List<String> hosts =
                company.stream().map(it -> it.host().name()).distinct().sorted().toList();
        if (hosts.size() > 1) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(new Violation("/company", "must be workers of one host", hosts)));
        }
    }

    /**
     * Requests profiles of the network's training step, unless equal ones are unfinished or a
     * worker takes no work.
     *
     * @param company co-located workers, which measure at the same time under the load of the run
     */
    @Transactional
    public void require(Map<WorkerId, Requirement> company, Architecture network) {
        List<LabWorker> locked = sessions.lock(company.keySet());
        if (locked.stream().allMatch(LabWorker::takesWork)) {
            store.openOrExisting(
                    locked,
                    worker -> requirement(company, worker).of(network),
                    worker -> requirement(company, worker).slowDown());
        }
    }

    private static Requirement requirement(Map<WorkerId, Requirement> company, WorkerId worker) {
        return Objects.requireNonNull(company.get(worker));
    }

    /**
     * The failures in a row of the kernel's newest profiles; empty if too few. Profiles that were
     * canceled on request do not count.
     */
    @Transactional(readOnly = true)
    public Optional<RepeatedFailures> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return RepeatedFailures.of(
                profiles.findTried(
                        worker.value(), kernel.network(), Limit.of(RepeatedFailures.LIMIT)));
    }

    /**
     * Cancels all unfinished profiles of a session, as its workers measure only together.
     *
     * @throws Problem {@code illegal-state} if the given profile is finished
     */
    @Transactional
    ProfileView cancel(Caller.User caller, UUID id) {
        Session session = store.lockOf(id);
        Profile wanted = store.load(id);
        if (wanted.isOver()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Profile %s is %s and cannot be canceled".formatted(id, wanted.state()));
        }
        sessions.withdraw(session, "canceled on request");
        audit.note(caller, Change.of("profile-cancelled", "profile", id));
        return view(wanted);
    }

    /**
     * Imports a file as a complete profile of the worker.
     *
     * @throws Problem {@code invalid-request} with all violations
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
                            "must name a network that has a preset or a profile",
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
                store.open(
                        worker,
                        new Profile.Membership(UUID.randomUUID(), 0, 1, file.load(), 1),
                        wanted);
        profile.fill(
                file.points().stream().map(it -> new KernelPoint(kernel, it)).toList(),
                file.date());
        return profile.view(worker.host());
    }

    private Optional<Architecture> network(String name) {
        return Preset.named(name)
                .map(Preset::architecture)
                .or(() ->
                        profiles.findFirstByNetworkOrderByRequestedAtDesc(name)
                                .map(Profile::architecture));
    }

    /**
     * Exports the points of a kernel.
     *
     * @throws Problem {@code not-found} if the profile does not measure it
     */
    @Transactional(readOnly = true)
    CurveFile file(UUID id, String kernel) {
        Profile profile = store.load(id);
        return profile.measurements().stream()
                .map(Measurement::kernel)
                .filter(it -> it.label().equals(kernel) || it.label().startsWith(kernel + ":"))
                .findFirst()
                .map(profile::file)
                .orElseThrow(() -> Problem.notFound("kernel", kernel));
    }

    @Transactional(readOnly = true)
    ProfileView find(UUID id) {
        return view(store.load(id));
    }

    private ProfileView view(Profile profile) {
        return profile.view(workers.find(profile.worker()).host());
    }

    @Transactional(readOnly = true)
    List<ProfileView> of(WorkerId worker, NewestFirstKey after, int limit) {
        HostDescription host = workers.find(worker).host();
        return profiles.findNewest(worker.value(), after.at(), after.id(), Limit.of(limit)).stream()
                .map(it -> it.view(host))
                .toList();
    }
}
