package dev.equipoise.app.profile;

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

/** What complete profiles tell of how fast workers are now. */
@Service
public class SpeedCurves {

    private static final Set<ProfileOrigin> WHOLE =
            EnumSet.of(ProfileOrigin.MEASURED, ProfileOrigin.IMPORTED);

    /** Of the profiles that were measured at shares, those that may still tell something. */
    private static final int MOST_AT_SHARES = 50;

    /** Of the profiles in all companies, those that are looked at. */
    private static final int MOST_IN_ALL_COMPANIES = 50;

    private final ProfileRepository profiles;
    private final ProfileSettings settings;
    private final Clock clock;

    SpeedCurves(ProfileRepository profiles, ProfileSettings settings, Clock clock) {
        this.profiles = profiles;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * The newest complete measurement of the kernel by the worker, ascending by size; empty where
     * there is none, or it is too old, or the worker computes in another way now.
     *
     * @param load of its machine meanwhile
     */
    @Transactional(readOnly = true)
    public Known newest(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return Known.of(complete(worker, kernel, load, WHOLE, Limit.of(1)), kernel);
    }

    /**
     * The newest complete measurement under each load that the worker was measured under, for what
     * need not be exact; of one that was only ever measured at shares, what that has told.
     */
    @Transactional(readOnly = true)
    public Map<Load, List<MeasuredPoint>> byLoad(LabWorker worker, Kernel.TrainingStep kernel) {
        Map<Load, List<MeasuredPoint>> whole = new HashMap<>();
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
     * All points of the kernel that are known of the worker, ascending by size, also such that were
     * measured at single shares: the newest of each size.
     */
    @Transactional(readOnly = true)
    public Known all(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return Known.of(
                complete(
                        worker,
                        kernel,
                        load,
                        EnumSet.allOf(ProfileOrigin.class),
                        Limit.of(MOST_AT_SHARES)),
                kernel);
    }

    /**
     * What is known of a worker's speed.
     *
     * @param profiles that tell it
     * @param points ascending by size, of each size the newest
     */
    public record Known(List<UUID> profiles, List<MeasuredPoint> points) {

        public Known {
            profiles = List.copyOf(profiles);
            points = List.copyOf(points);
        }

        private static Known of(List<Profile> newestFirst, Kernel.TrainingStep kernel) {
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
     * One speed function as it was measured.
     *
     * @param load of the machine meanwhile, in percent of a worker at full speed
     * @param points ascending by size
     */
    public record Recorded(
            String network, int load, Instant measuredAt, List<MeasuredPoint> points) {

        public Recorded {
            points = List.copyOf(points);
        }
    }

    /** The newest under each load, however old, the lightest load first. */
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
                        Limit.of(MOST_IN_ALL_COMPANIES))) {
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

    /** Under whatever load, newest first. */
    private List<Profile> complete(
            LabWorker worker, Kernel.TrainingStep kernel, Set<ProfileOrigin> origins) {
        return profiles
                .findComplete(
                        worker.id().value(),
                        kernel.network(),
                        origins,
                        oldest(),
                        Limit.of(MOST_IN_ALL_COMPANIES))
                .stream()
                .takeWhile(profile -> profile.describes(worker.host()))
                .toList();
    }

    private List<Profile> complete(
            LabWorker worker,
            Kernel.TrainingStep kernel,
            Load load,
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

    /** What was measured before is too old. */
    private Instant oldest() {
        return settings.oldest(clock.instant());
    }
}
