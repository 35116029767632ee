package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.ProfileReport.PointMeasured;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** One profile of one worker: the requested measurements, the points so far and the state. */
@Entity
class Profile extends SessionPart {

    /** Largest progress of an unfinished profile; 1 means complete. */
    private static final double MAX_UNFINISHED = 0.999;

    private UUID workerId;

    /** Co-located workers that measure at the same time share a session. */
    private UUID session;

    /** Rank of the worker in its session. */
    private int rank;

    /** Number of workers in the session. */
    private int company;

    /** Host load of all workers in the session, in percent. */
    private int load;

    /** Emulated slowdown during the measurement, by which the times are divided. */
    private double slowDown;

    private String network;

    /** Number of this profile among those of the worker and the network, from 1. */
    private int number;

    @Enumerated(EnumType.STRING)
    private ProfileOrigin origin;

    /** The host of the worker at the request. */
    @JdbcTypeCode(SqlTypes.JSON)
    private HostDescription host;

    @JdbcTypeCode(SqlTypes.JSON)
    private Architecture architecture;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Measurement> measurements;

    @JdbcTypeCode(SqlTypes.JSON)
    private Precision precision;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<KernelPoint> points;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Profile() {}

    /**
     * The membership of a worker in a session.
     *
     * @param company number of workers in it
     * @param slowDown emulated slowdown of the worker during the measurement
     */
    record Membership(UUID session, int rank, int company, HostLoad load, double slowDown) {}

    Profile(
            LabWorker worker,
            int number,
            Membership membership,
            ProfileRequest wanted,
            Instant requestedAt) {
        super(requestedAt);
        this.workerId = worker.id().value();
        this.host = worker.host();
        this.number = number;
        this.session = membership.session();
        this.rank = membership.rank();
        this.company = membership.company();
        this.load = membership.load().percent();
        this.slowDown = membership.slowDown();
        this.network = wanted.network().name();
        this.architecture = wanted.network();
        this.measurements = wanted.measurements();
        this.precision = wanted.precision();
        this.origin = wanted.origin();
        this.points = List.of();
    }

    /** Whether it measures exactly the request. */
    boolean matches(ProfileRequest wanted, double wantedSlowDown) {
        return origin == wanted.origin()
                && slowDown == wantedSlowDown
                && measurements.equals(wanted.measurements())
                && precision.equals(wanted.precision());
    }

    /** Completes the profile with the points of a file. */
    void fill(List<KernelPoint> imported, Instant measuredAt) {
        begin();
        points = List.copyOf(imported);
        finish(measuredAt);
    }

    @Override
    String label() {
        return "Profile";
    }

    @Override
    String title() {
        return "the profile of worker " + worker();
    }

    @Override
    boolean isOf(WorkerId worker) {
        return worker().equals(worker);
    }

    /** Cancels it, which counts as no failure of the worker. */
    @Override
    void withdraw(String reason, Instant now) {
        end(MeasurementState.CANCELLED, null, now);
    }

    /**
     * Adds a point, or replaces the earlier point of its size.
     *
     * @throws Problem {@code invalid-request} if the point was not requested
     */
    void add(PointMeasured measured) {
        int size = measured.point().size();
        requireRequested(measured.kernel(), size);
        List<KernelPoint> others = new ArrayList<>(points);
        others.removeIf(it -> it.kernel().equals(measured.kernel()) && it.point().size() == size);
        requireFewerThanAll(others, measured.kernel());
        others.add(new KernelPoint(measured.kernel(), measured.point()));
        points = List.copyOf(others);
    }

    private void requireRequested(Kernel kernel, int size) {
        if (measurements.stream()
                .noneMatch(it -> it.kernel().equals(kernel) && it.points().allows(size))) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "profile %s does not measure %s at size %d"
                            .formatted(id(), kernel.label(), size));
        }
    }

    private void requireFewerThanAll(List<KernelPoint> others, Kernel kernel) {
        long count = others.stream().filter(it -> it.kernel().equals(kernel)).count();
        int limit =
                measurements.stream()
                        .filter(it -> it.kernel().equals(kernel))
                        .mapToInt(it -> it.points().atMost())
                        .sum();
        if (count >= limit) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "profile %s already has all %d points of %s: report no further points"
                            .formatted(id(), limit, kernel.label()));
        }
    }

    /** Completes the profile if it has all requested points, else fails it. */
    void finish(Instant now) {
        for (Measurement measurement : measurements) {
            List<Integer> sizes =
                    pointsOf(measurement.kernel()).stream().map(MeasuredPoint::size).toList();
            if (!measurement.points().areFoundIn(sizes)) {
                fail(
                        "the worker measured %s at %s instead of at all of %s"
                                .formatted(
                                        measurement.kernel().label(), sizes, measurement.points()),
                        now);
                return;
            }
        }
        complete(now);
    }

    MeasurementTask task() {
        return new MeasurementTask(MeasurementKind.PROFILES, id(), rank);
    }

    WorkerId worker() {
        return WorkerId.of(workerId);
    }

    UUID session() {
        return session;
    }

    int rank() {
        return rank;
    }

    HostLoad load() {
        return new HostLoad(load);
    }

    double slowDown() {
        return slowDown;
    }

    Architecture architecture() {
        return architecture;
    }

    Precision precision() {
        return precision;
    }

    /** Whether the profile still applies to a host; otherwise it is stale. */
    boolean describes(HostDescription now) {
        return host.changes(now).isEmpty();
    }

    /**
     * The changes of the worker's host since the measurement, which make the profile stale; empty
     * while it applies.
     */
    List<String> staleness(HostDescription now) {
        return host.changes(now);
    }

    List<Measurement> measurements() {
        return measurements;
    }

    /** Points of one kernel, by ascending size. */
    List<MeasuredPoint> pointsOf(Kernel kernel) {
        return points.stream()
                .filter(point -> point.kernel().equals(kernel))
                .map(KernelPoint::point)
                .sorted(Comparator.comparingInt(MeasuredPoint::size))
                .toList();
    }

    /** Progress of the measurement, from 0 to 1. */
    private double progress() {
        double all = measurements.stream().mapToInt(it -> it.points().atMost()).sum();
        double done = points.stream().mapToDouble(it -> precision.progress(it.point())).sum();
        return state() == MeasurementState.COMPLETE ? 1 : Math.min(MAX_UNFINISHED, done / all);
    }

    /** The file with the points of a kernel. */
    CurveFile file(Kernel kernel) {
        return new CurveFile(kernel, host, load(), measuredAt(), pointsOf(kernel));
    }

    /** Time of its end; before that, time of its request. */
    Instant measuredAt() {
        return Objects.requireNonNullElse(finishedAt(), requestedAt());
    }

    /**
     * @param now the present host of the worker
     */
    ProfileView view(HostDescription now) {
        return new ProfileView(
                id(),
                worker(),
                network,
                number,
                origin,
                host,
                session,
                company,
                load,
                state(),
                progress(),
                measurements.stream()
                        .map(it ->
                                new ProfileView.Curve(
                                        it.kernel(), it.points(), pointsOf(it.kernel())))
                        .toList(),
                failure(),
                requestedAt(),
                finishedAt(),
                staleness(now));
    }
}
