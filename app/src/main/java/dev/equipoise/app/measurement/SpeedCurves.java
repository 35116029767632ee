package dev.equipoise.app.measurement;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Looks up the current speed functions of workers in complete profiles. */
@Service
public class SpeedCurves {

    private static final Set<ProfileOrigin> WHOLE =
            EnumSet.of(ProfileOrigin.MEASURED, ProfileOrigin.IMPORTED);

    /** Limit of profiles that are merged into a partial FPM. */
    private static final int MAX_AT_SHARES = 50;

    /** Limit of profiles that are read over all host loads. */
    private static final int MAX_OVER_ALL_LOADS = 50;

    private final ProfileRepository profiles;
    private final ProfileSettings settings;
    private final Clock clock;

    SpeedCurves(ProfileRepository profiles, ProfileSettings settings, Clock clock) {
        this.profiles = profiles;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * The newest complete profile of the kernel over the whole range of sizes; empty if there is
     * none, it is too old, or the worker's host has changed.
     *
     * @param load host load during the measurement
     */
    @Transactional(readOnly = true)
    public Known newest(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return Known.of(complete(worker, kernel, load, WHOLE, Limit.of(1)), kernel);
    }

    /**
     * The points of GEMM in the newest complete profile of a training step over the whole range of
     * sizes; empty as for {@link #newest}, and if the profile was imported.
     *
     * @param load host load during the measurement
     */
    @Transactional(readOnly = true)
    public Known newestGemm(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return Known.of(complete(worker, kernel, load, WHOLE, Limit.of(1)), new Kernel.Gemm());
    }

    /**
     * The points of GEMM in the newest complete profile of a training step under each host load;
     * without profiles that were imported.
     */
    @Transactional(readOnly = true)
    public Map<HostLoad, List<MeasuredPoint>> gemmByLoad(
            LabWorker worker, Kernel.TrainingStep kernel) {
        Map<HostLoad, List<MeasuredPoint>> whole = new HashMap<>();
        complete(worker, kernel, EnumSet.of(ProfileOrigin.MEASURED)).stream()
                .filter(profile -> !profile.pointsOf(new Kernel.Gemm()).isEmpty())
                .forEach(profile ->
                        whole.putIfAbsent(profile.load(), profile.pointsOf(new Kernel.Gemm())));
        return whole;
    }

    /**
     * The newest complete profile under each measured host load, for approximate predictions. A
     * worker with partial FPMs only gets the points of these.
     */
    @Transactional(readOnly = true)
    public Map<HostLoad, List<MeasuredPoint>> byLoad(LabWorker worker, Kernel.TrainingStep kernel) {
        Map<HostLoad, List<MeasuredPoint>> whole = new HashMap<>();
        complete(worker, kernel, WHOLE)
                .forEach(profile -> whole.putIfAbsent(profile.load(), profile.pointsOf(kernel)));
        if (!whole.isEmpty()) {
            return whole;
        }
        return complete(worker, kernel, EnumSet.of(ProfileOrigin.AT_SHARE)).stream()
                .collect(
                        Collectors.groupingBy(
                                Profile::load,
                                Collectors.collectingAndThen(
                                        Collectors.toList(), it -> Known.of(it, kernel).points())));
    }

    /**
     * All points of the kernel, by ascending size, those of partial FPMs included; the newest point
     * of each size.
     */
    @Transactional(readOnly = true)
    public Known all(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return Known.of(
                complete(
                        worker,
                        kernel,
                        load,
                        EnumSet.allOf(ProfileOrigin.class),
                        Limit.of(MAX_AT_SHARES)),
                kernel);
    }

    /**
     * The measured points of a speed function.
     *
     * @param profiles the profiles that measured them
     * @param points by ascending size, the newest of each size
     */
    public record Known(List<UUID> profiles, List<MeasuredPoint> points) {

        public Known {
            profiles = List.copyOf(profiles);
            points = List.copyOf(points);
        }

        private static Known of(List<Profile> newestFirst, Kernel kernel) {
            SortedMap<Integer, MeasuredPoint> points = new TreeMap<>();
            List<UUID> profiles = new ArrayList<>();
            for (Profile profile : newestFirst) {
                for (MeasuredPoint point : profile.pointsOf(kernel)) {
                    if (points.putIfAbsent(point.size(), point) == null
                            && !profiles.contains(profile.id())) {
                        profiles.add(profile.id());
                    }
                }
            }
            return new Known(profiles, List.copyOf(points.values()));
        }
    }

    /**
     * A measured speed function with its conditions.
     *
     * @param load host load, in percent of one worker at full speed
     * @param points by ascending size
     */
    public record Recorded(
            String network, int load, Instant measuredAt, List<MeasuredPoint> points) {

        public Recorded {
            points = List.copyOf(points);
        }
    }

    /**
     * The changes of the worker's host since its newest complete profile of the kernel that is not
     * too old, which make that profile stale; empty if it applies, or there is none.
     */
    @Transactional(readOnly = true)
    public List<String> staleness(LabWorker worker, Kernel.TrainingStep kernel) {
        return profiles
                .findComplete(worker.id().value(), kernel.network(), WHOLE, oldest(), Limit.of(1))
                .stream()
                .flatMap(newest -> newest.staleness(worker.host()).stream())
                .toList();
    }

    /** The newest speed function under each host load, of any age, by ascending load. */
    @Transactional(readOnly = true)
    public List<Recorded> recorded(WorkerId worker, String network) {
        var kernel = new Kernel.TrainingStep(network);
        SortedMap<Integer, Recorded> byLoad = new TreeMap<>();
        for (Profile profile :
                profiles.findComplete(
                        worker.value(),
                        network,
                        WHOLE,
                        Instant.EPOCH,
                        Limit.of(MAX_OVER_ALL_LOADS))) {
            byLoad.putIfAbsent(
                    profile.load().percent(),
                    new Recorded(
                            network,
                            profile.load().percent(),
                            profile.measuredAt(),
                            profile.pointsOf(kernel)));
        }
        return List.copyOf(byLoad.values());
    }

    /** Complete profiles under any host load, newest first, until the host changed. */
    private List<Profile> complete(
            LabWorker worker, Kernel.TrainingStep kernel, Set<ProfileOrigin> origins) {
        return profiles
                .findComplete(
                        worker.id().value(),
                        kernel.network(),
                        origins,
                        oldest(),
                        Limit.of(MAX_OVER_ALL_LOADS))
                .stream()
                .takeWhile(profile -> profile.describes(worker.host()))
                .toList();
    }

    private List<Profile> complete(
            LabWorker worker,
            Kernel.TrainingStep kernel,
            HostLoad load,
            Set<ProfileOrigin> origins,
            Limit limit) {
        return profiles
                .findComplete(
                        worker.id().value(),
                        kernel.network(),
                        load.percent(),
                        origins,
                        oldest(),
                        limit)
                .stream()
                .takeWhile(profile -> profile.describes(worker.host()))
                .toList();
    }

    private Instant oldest() {
        return settings.oldest(clock.instant());
    }
}
