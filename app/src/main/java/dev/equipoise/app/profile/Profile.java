package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.AgentEvent.PointMeasured;
import dev.equipoise.protocol.Assignment.Measurement;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** One measurement of one worker: what was asked, and the points so far. */
@Entity
class Profile {

    /** 1 is kept for what is complete. */
    private static final double MOST_UNFINISHED = 0.999;

    @Id private UUID id;
    private UUID workerId;

    /** The workers of one machine that measure at the same time have one session. */
    private UUID session;

    /** The worker's place in its session. */
    private int rank;

    /** Workers in the session. */
    private int company;

    /** In percent of a worker at full speed, of all workers in the session. */
    private int load;

    /** By which the worker was stretched meanwhile, and its times are divided. */
    private double slowDown;

    private String network;

    /** Counts the profiles of the worker and the network. */
    private int number;

    @Enumerated(EnumType.STRING)
    private ProfileOrigin origin;

    @Enumerated(EnumType.STRING)
    private ProfileState state;

    /** The worker's machine as it was then. */
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

    private @Nullable String failure;
    private Instant requestedAt;
    private @Nullable Instant finishedAt;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Profile() {}

    /**
     * The place of a worker in a session.
     *
     * @param company workers in it
     * @param slowDown of the worker meanwhile
     */
    record Place(UUID session, int rank, int company, Load load, double slowDown) {}

    Profile(LabWorker worker, int number, Place place, ProfileRequest wanted, Instant requestedAt) {
        this.id = UUID.randomUUID();
        this.workerId = worker.id().value();
        this.host = worker.host();
        this.number = number;
        this.session = place.session();
        this.rank = place.rank();
        this.company = place.company();
        this.load = place.load().percent();
        this.slowDown = place.slowDown();
        this.network = wanted.network().name();
        this.architecture = wanted.network();
        this.measurements = wanted.measurements();
        this.precision = wanted.precision();
        this.origin = wanted.origin();
        this.state = ProfileState.PENDING;
        this.points = List.of();
        this.requestedAt = requestedAt;
    }

    /** Whether it is just what is asked for. */
    boolean answers(ProfileRequest wanted, double wantedSlowDown) {
        return origin == wanted.origin()
                && slowDown == wantedSlowDown
                && measurements.equals(wanted.measurements())
                && precision.equals(wanted.precision());
    }

    /** Takes the points of a file in place of a measurement. */
    void fill(List<KernelPoint> known, Instant measuredAt) {
        begin();
        points = List.copyOf(known);
        finish(measuredAt);
    }

    void begin() {
        become(ProfileState.MEASURING);
    }

    /**
     * Takes a point, in place of what was known of it before.
     *
     * @throws Problem {@code invalid-request} where it was not asked for
     */
    void add(PointMeasured measured) {
        int size = measured.point().size();
        if (measurements.stream()
                .noneMatch(
                        it -> it.kernel().equals(measured.kernel()) && it.points().allows(size))) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "%s of size %d is not measured by profile %s"
                            .formatted(measured.kernel().label(), size, id));
        }
        List<KernelPoint> others = new ArrayList<>(points);
        others.removeIf(it -> it.kernel().equals(measured.kernel()) && it.point().size() == size);
        requireRoom(others, measured.kernel());
        others.add(new KernelPoint(measured.kernel(), measured.point()));
        points = List.copyOf(others);
    }

    private void requireRoom(List<KernelPoint> others, Kernel kernel) {
        long known = others.stream().filter(it -> it.kernel().equals(kernel)).count();
        int most =
                measurements.stream()
                        .filter(it -> it.kernel().equals(kernel))
                        .mapToInt(it -> it.points().atMost())
                        .sum();
        if (known >= most) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "profile %s has all %d points of %s".formatted(id, most, kernel.label()));
        }
    }

    /** Complete where there are all points that there must be, else failed. */
    void finish(Instant now) {
        for (Measurement measurement : measurements) {
            List<Integer> sizes =
                    pointsOf(measurement.kernel()).stream().map(MeasuredPoint::size).toList();
            if (!measurement.points().areFoundIn(sizes)) {
                fail(
                        "the worker measured %s at %s, and not at all of %s"
                                .formatted(
                                        measurement.kernel().label(), sizes, measurement.points()),
                        now);
                return;
            }
        }
        become(ProfileState.COMPLETE);
        finishedAt = now;
    }

    void fail(String reason, Instant now) {
        end(ProfileState.FAILED, reason, now);
    }

    /** With a companion that has failed. */
    void cancel(String reason, Instant now) {
        end(ProfileState.CANCELLED, reason, now);
    }

    /** As somebody wants: nothing has failed, and no worker is to blame. */
    void giveUp(Instant now) {
        end(ProfileState.CANCELLED, null, now);
    }

    private void end(ProfileState how, @Nullable String reason, Instant now) {
        become(how);
        failure = reason;
        finishedAt = now;
    }

    private void become(ProfileState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Profile %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
    }

    UUID id() {
        return id;
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

    Load load() {
        return new Load(load);
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

    /**
     * Whether the worker still computes as it did then: by the same means, and as fast as it is
     * made.
     */
    boolean describes(HostDescription now) {
        return host.name().equals(now.name())
                && host.backend().equals(now.backend())
                && host.threads() == now.threads()
                && host.slowDown() == now.slowDown();
    }

    ProfileState state() {
        return state;
    }

    Instant requestedAt() {
        return requestedAt;
    }

    /** Why it failed; empty where it did not, also where it was given up. */
    String failure() {
        return failure == null ? "" : failure;
    }

    List<Measurement> measurements() {
        return measurements;
    }

    /** The points of one kernel, by ascending size. */
    List<MeasuredPoint> pointsOf(Kernel kernel) {
        return points.stream()
                .filter(point -> point.kernel().equals(kernel))
                .map(KernelPoint::point)
                .sorted(Comparator.comparingInt(MeasuredPoint::size))
                .toList();
    }

    /** How far the measurement has come, from 0 to 1. */
    private double progress() {
        double all = measurements.stream().mapToInt(it -> it.points().atMost()).sum();
        double done = points.stream().mapToDouble(it -> precision.progress(it.point())).sum();
        return state == ProfileState.COMPLETE ? 1 : Math.min(MOST_UNFINISHED, done / all);
    }

    /** The points of a kernel as a file holds them. */
    CurveFile file(Kernel kernel) {
        return new CurveFile(kernel, host, load(), measuredAt(), pointsOf(kernel));
    }

    /** When its last point was, or before the first, when it was asked for. */
    Instant measuredAt() {
        return finishedAt == null ? requestedAt : finishedAt;
    }

    ProfileView view() {
        return new ProfileView(
                id,
                worker(),
                network,
                number,
                origin,
                host,
                session,
                company,
                load,
                state,
                progress(),
                measurements.stream()
                        .map(it ->
                                new ProfileView.Curve(
                                        it.kernel(), it.points(), pointsOf(it.kernel())))
                        .toList(),
                failure,
                requestedAt,
                finishedAt);
    }
}
