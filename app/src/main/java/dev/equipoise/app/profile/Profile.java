package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.AgentEvent.PointMeasured;
import dev.equipoise.protocol.Assignment.Measurement;
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

    @SuppressWarnings("UnusedVariable") // read by queries alone
    private String network;

    @Enumerated(EnumType.STRING)
    private ProfileState state;

    private String backend;

    @JdbcTypeCode(SqlTypes.JSON)
    private Architecture architecture;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Measurement> measurements;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<KernelPoint> points;

    private @Nullable String failure;
    private Instant requestedAt;
    private @Nullable Instant finishedAt;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Profile() {}

    /** Asks for these sizes of the network's training step, and for others beside it. */
    Profile(
            LabWorker worker,
            Architecture architecture,
            List<Integer> sizes,
            Measurement beside,
            Instant now) {
        this.id = UUID.randomUUID();
        this.workerId = worker.id().value();
        this.backend = worker.host().backend();
        this.network = architecture.name();
        this.architecture = architecture;
        this.state = ProfileState.PENDING;
        this.measurements =
                List.of(new Measurement(new Kernel.TrainingStep(network), sizes), beside);
        this.points = List.of();
        this.requestedAt = now;
    }

    Architecture architecture() {
        return architecture;
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
                        it -> it.kernel().equals(measured.kernel()) && it.sizes().contains(size))) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "%s of size %d is not measured by profile %s"
                            .formatted(measured.kernel().label(), size, id));
        }
        List<KernelPoint> others = new ArrayList<>(points);
        others.removeIf(it -> it.kernel().equals(measured.kernel()) && it.point().size() == size);
        others.add(new KernelPoint(measured.kernel(), measured.point()));
        points = List.copyOf(others);
    }

    /** Complete where there is a point of every size, else failed. */
    void finish(Instant now) {
        for (Measurement measurement : measurements) {
            int wanted = measurement.sizes().size();
            // Only points that were asked for are taken, each once.
            int missing = wanted - pointsOf(measurement.kernel()).size();
            if (missing > 0) {
                fail(
                        "the worker left out %d of %d points of %s"
                                .formatted(missing, wanted, measurement.kernel().label()),
                        now);
                return;
            }
        }
        become(ProfileState.COMPLETE);
        finishedAt = now;
    }

    void fail(String reason, Instant now) {
        if (!state.isTerminal()) {
            become(ProfileState.FAILED);
            failure = reason;
            finishedAt = now;
        }
    }

    private void become(ProfileState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Profile %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
    }

    WorkerId worker() {
        return WorkerId.of(workerId);
    }

    ProfileState state() {
        return state;
    }

    Instant requestedAt() {
        return requestedAt;
    }

    /** Why it failed; empty where it did not. */
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
        double all = measurements.stream().mapToInt(it -> it.sizes().size()).sum();
        double done =
                points.stream().mapToDouble(it -> Precision.DEFAULT.progress(it.point())).sum();
        return state == ProfileState.COMPLETE ? 1 : Math.min(MOST_UNFINISHED, done / all);
    }

    ProfileView view() {
        return new ProfileView(
                id,
                worker(),
                backend,
                state,
                progress(),
                measurements.stream()
                        .map(it ->
                                new ProfileView.Curve(
                                        it.kernel(), it.sizes(), pointsOf(it.kernel())))
                        .toList(),
                failure,
                requestedAt,
                finishedAt);
    }
}
