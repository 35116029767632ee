package dev.equipoise.app.measurement;

import dev.equipoise.app.measurement.WorkerSpeed.MeasuredSpeed;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Compares the speeds of the live workers in training steps of one network. */
@Service
class WorkerSpeeds {

    private final Workers workers;
    private final ProfileRepository profiles;
    private final ProfileSettings settings;
    private final Clock clock;

    WorkerSpeeds(
            Workers workers, ProfileRepository profiles, ProfileSettings settings, Clock clock) {
        this.workers = workers;
        this.profiles = profiles;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Speeds of the live workers, the fastest first and those without a profile last. All are
     * compared at the largest mini-batch size that most of them have measured; a worker that has
     * not measured it is listed at its own largest size.
     *
     * @param network network whose training step was measured; null if no worker has a profile
     * @param networks networks with a profile, the one that was measured last first
     * @param items speeds of the workers
     */
    record WorkerSpeedList(
            @Nullable String network, List<String> networks, List<WorkerSpeed> items) {}

    /**
     * Returns the speeds.
     *
     * @param wanted network; null for the one that was measured last
     */
    @Transactional(readOnly = true)
    WorkerSpeedList of(@Nullable String wanted) {
        List<LabWorker> live = workers.live();
        List<UUID> ids = live.stream().map(it -> it.id().value()).toList();
        List<String> networks = profiles.findMeasuredNetworks(ids);
        String network = wanted == null && !networks.isEmpty() ? networks.getFirst() : wanted;
        return new WorkerSpeedList(
                network,
                networks,
                network != null && networks.contains(network)
                        ? of(live, ids, network)
                        : unmeasured(live));
    }

    private static List<WorkerSpeed> unmeasured(List<LabWorker> live) {
        return live.stream()
                .map(it -> new WorkerSpeed(it.id(), it.name(), null))
                .sorted(Comparator.comparing(WorkerSpeed::name))
                .toList();
    }

    private List<WorkerSpeed> of(List<LabWorker> live, List<UUID> ids, String network) {
        Map<UUID, Profile> byWorker =
                profiles.findNewestUnderLowestLoad(ids, network).stream()
                        .collect(Collectors.toMap(it -> it.worker().value(), Function.identity()));
        var kernel = new Kernel.TrainingStep(network);
        OptionalInt batch =
                commonSize(byWorker.values().stream().map(it -> it.pointsOf(kernel)).toList());
        return live.stream()
                .map(it -> speed(it, byWorker.get(it.id().value()), kernel, batch))
                .sorted(
                        Comparator.comparingDouble(WorkerSpeeds::descending)
                                .thenComparing(WorkerSpeed::name))
                .toList();
    }

    private static double descending(WorkerSpeed speed) {
        MeasuredSpeed measured = speed.measured();
        return measured == null ? 0 : -measured.samplesPerSecond();
    }

    /**
     * Returns the largest size among those that the most curves have; empty if no curve has a
     * point.
     */
    static OptionalInt commonSize(Collection<List<MeasuredPoint>> curves) {
        Map<Integer, Long> counts =
                curves.stream()
                        .flatMap(it -> it.stream().map(MeasuredPoint::size).distinct())
                        .collect(Collectors.groupingBy(it -> it, Collectors.counting()));
        long most = counts.values().stream().mapToLong(it -> it).max().orElse(0);
        return counts.entrySet().stream()
                .filter(it -> it.getValue() == most)
                .mapToInt(Map.Entry::getKey)
                .max();
    }

    private WorkerSpeed speed(
            LabWorker worker, @Nullable Profile profile, Kernel kernel, OptionalInt batch) {
        return new WorkerSpeed(
                worker.id(),
                worker.name(),
                profile == null ? null : measured(worker, profile, kernel, batch));
    }

    private @Nullable MeasuredSpeed measured(
            LabWorker worker, Profile profile, Kernel kernel, OptionalInt batch) {
        List<MeasuredPoint> points = profile.pointsOf(kernel);
        if (points.isEmpty()) {
            return null;
        }
        MeasuredPoint point =
                points.stream()
                        .filter(it -> batch.isPresent() && it.size() == batch.getAsInt())
                        .findFirst()
                        .orElseGet(points::getLast);
        return MeasuredSpeed.of(
                point, profile.load().percent(), profile.measuredAt(), staleness(worker, profile));
    }

    private List<String> staleness(LabWorker worker, Profile profile) {
        List<String> reasons = new ArrayList<>(profile.staleness(worker.host()));
        Instant oldest = settings.oldest(clock.instant());
        if (!profile.measuredAt().isAfter(oldest)) {
            reasons.add("measured before " + oldest);
        }
        return reasons;
    }
}
