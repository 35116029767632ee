package dev.equipoise.app.allocation;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.FUNCTIONAL;
import static dev.equipoise.app.schedule.TestingPlacement.slowed;
import static dev.equipoise.app.schedule.TestingPlacement.virtual;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.performance.partition.SpeedFunction.Point;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MeasuredSpeedsTest {

    private static final Partitioning PARTIAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.ShareRounding.LARGEST_REMAINDER,
                    Partitioning.Extent.PARTIAL);

    private static final Partitioning GEMM =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.ShareRounding.LARGEST_REMAINDER,
                    Partitioning.Extent.FULL,
                    Partitioning.SpeedKernel.GEMM);

    private static final Profiles.Requirement AT_64 = new Profiles.Requirement(64, 1);

    private final LabWorker one = on(1, "a");
    private final LabWorker two = on(2, "a");
    private final LabWorker three = on(3, "b");

    private static LabWorker on(int number, String host) {
        return worker(
                number,
                new HostDescription(host, 1, 1, 1L << 33, "Linux", "oneDNN", 1),
                WorkerState.IDLE,
                Map.of(),
                List.of(1, 2, 3));
    }

    /** Measured points by worker and host load. */
    private static final class Measured implements SpeedCurveLookup {

        private record Key(WorkerId worker, HostLoad load) {}

        private final Map<Key, List<Point>> whole = new HashMap<>();
        private final Map<Key, List<Point>> partial = new HashMap<>();
        private final Map<Key, List<Point>> gemm = new HashMap<>();

        Measured whole(LabWorker worker, int company) {
            whole.put(new Key(worker.id(), new HostLoad(100 * company)), List.of(new Point(8, 1)));
            return this;
        }

        void at(LabWorker worker, HostLoad load, Point point) {
            partial.computeIfAbsent(new Key(worker.id(), load), _ -> new ArrayList<>()).add(point);
        }

        @Override
        public SpeedCurve whole(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
            return curve(whole, new Key(worker.id(), load));
        }

        @Override
        public SpeedCurve gemm(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
            return curve(gemm, new Key(worker.id(), load));
        }

        @Override
        public SpeedCurve all(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
            return curve(partial, new Key(worker.id(), load));
        }

        private static SpeedCurve curve(Map<Key, List<Point>> points, Key key) {
            return new SpeedCurve(List.of(), points.getOrDefault(key, List.of()));
        }
    }

    private MeasuredSpeeds of(RunConfiguration wanted, SpeedCurveLookup measured) {
        return new MeasuredSpeeds(wanted, List.of(one, three, two), measured);
    }

    @Test
    void coLocatedWorkersAreProfiledTogether() {
        RunConfiguration wanted = wants(3, Map.of(), FUNCTIONAL);

        assertThat(of(wanted, new Measured()).missing())
                .containsExactly(
                        ProfileGap.ofWholeRange(List.of(one, two)),
                        ProfileGap.ofWholeRange(List.of(three)));
        assertThat(of(wanted, new Measured().whole(one, 2).whole(three, 1)).missing())
                .containsExactly(ProfileGap.ofWholeRange(List.of(one, two)));
        assertThat(of(wanted, new Measured().whole(one, 1).whole(two, 1).whole(three, 1)).missing())
                .as("profiles measured alone do not cover co-located load")
                .containsExactly(ProfileGap.ofWholeRange(List.of(one, two)));
        assertThat(of(wanted, new Measured().whole(one, 2).whole(two, 2).whole(three, 1)).missing())
                .isEmpty();
    }

    /** An imported profile has no GEMM, and the run measures the workers again. */
    @Test
    void sharesByGemmNeedProfilesWithGemm() {
        RunConfiguration wanted = wants(3, Map.of(), GEMM);
        var measured = new Measured().whole(one, 2).whole(two, 2).whole(three, 1);
        List.of(one, two)
                .forEach(worker ->
                        measured.gemm.put(
                                new Measured.Key(worker.id(), new HostLoad(200)),
                                List.of(new Point(1, 1))));

        assertThat(of(wanted, measured).missing())
                .containsExactly(ProfileGap.ofWholeRange(List.of(three)));
        measured.gemm.put(
                new Measured.Key(three.id(), new HostLoad(100)), List.of(new Point(1, 1)));
        assertThat(of(wanted, measured).missing()).isEmpty();
    }

    /** The training step is as fast on all workers, GEMM twice as fast on the third. */
    @Test
    void gemmDeterminesSharesAndTheTrainingStepTheirTime() {
        RunConfiguration wanted = wants(3, Map.of(), GEMM);
        var measured = new Measured().whole(one, 2).whole(two, 2).whole(three, 1);
        measured.gemm.put(new Measured.Key(one.id(), new HostLoad(200)), List.of(new Point(1, 2)));
        measured.gemm.put(new Measured.Key(two.id(), new HostLoad(200)), List.of(new Point(1, 2)));
        measured.gemm.put(
                new Measured.Key(three.id(), new HostLoad(100)), List.of(new Point(1, 1)));

        List<RankAllocation> allocations =
                new Allocator(of(wanted, measured).ranks()).allocations();

        List<Integer> shares = allocations.stream().map(RankAllocation::share).toList();
        assertThat(shares.get(1)).isCloseTo(2 * shares.get(0), within(2));
        assertThat(shares.get(2)).isCloseTo(shares.get(0), within(1));
        double first = Objects.requireNonNull(allocations.get(0).stepSeconds());
        assertThat(Objects.requireNonNull(allocations.get(1).stepSeconds()) / first)
                .isCloseTo((double) shares.get(1) / shares.get(0), within(1e-9));
    }

    /** A slowed rank loads its host less, and must do so during the measurement as well. */
    @Test
    void workersAreProfiledWithTheSlowdownOfTheRun() {
        RunConfiguration wanted = slowed(wants(3, Map.of(), FUNCTIONAL), Map.of(0, 2.0, 1, 4.0));

        List<ProfileGap> gaps = of(wanted, new Measured().whole(three, 1)).missing();

        assertThat(gaps).hasSize(1);
        assertThat(gaps.getFirst().parts())
                .isEqualTo(
                        Map.of(
                                one.id(), new Profiles.Requirement(null, 2),
                                two.id(), new Profiles.Requirement(null, 1)));
        var complete = new Measured().whole(three, 1);
        complete.whole.put(new Measured.Key(one.id(), new HostLoad(150)), List.of(new Point(8, 1)));
        complete.whole.put(new Measured.Key(two.id(), new HostLoad(150)), List.of(new Point(8, 1)));
        assertThat(of(wanted, complete).missing()).isEmpty();
    }

    @Test
    void parameterServerIsNotProfiled() {
        RunConfiguration served =
                wants(
                        2,
                        Map.of(),
                        FUNCTIONAL,
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

        assertThat(of(served, new Measured()).missing())
                .containsExactly(
                        ProfileGap.ofWholeRange(List.of(three)),
                        ProfileGap.ofWholeRange(List.of(two)));
    }

    @Test
    void runsWithoutMeasuredSpeedsNeedNoProfiles() {
        assertThat(of(wants(3, Map.of(), EQUAL), new Measured()).missing()).isEmpty();
        assertThat(
                        new MeasuredSpeeds(
                                        virtual(60, List.of(Execution.Speed.of(100))),
                                        List.of(one),
                                        new Measured())
                                .missing())
                .isEmpty();
        assertThat(
                        new MeasuredSpeeds(virtual(60, List.of()), List.of(one), new Measured())
                                .missing())
                .containsExactly(ProfileGap.ofWholeRange(List.of(one)));
    }

    /** Speeds of 10, 20 and 30 samples/s, with 0, 0.5 and 1 s of overhead for each step. */
    @Test
    void partialModelsMeasureNearTheSharesUntilTimesAreEqual() {
        RunConfiguration wanted = wants(3, Map.of(), PARTIAL);
        var measured = new Measured();
        int asked = 0;

        List<ProfileGap> gaps = of(wanted, measured).missing();
        assertThat(gaps)
                .extracting(ProfileGap::parts)
                .containsExactly(
                        Map.of(one.id(), AT_64, two.id(), AT_64), Map.of(three.id(), AT_64));
        while (!gaps.isEmpty() && asked < 20) {
            for (ProfileGap gap : gaps) {
                gap.company().forEach(it -> measure(measured, it, gap));
            }
            asked++;
            gaps = of(wanted, measured).missing();
        }

        assertThat(asked).isBetween(2, 10);
        MeasuredSpeeds speeds = of(wanted, measured);
        var allocator = new Allocator(speeds.ranks());
        assertThat(allocator.allocations())
                .extracting(it -> seconds(it.worker(), it.share() / (double) wanted.rounds()))
                .satisfies(seconds ->
                        assertThat(
                                        seconds.stream().max(Double::compare).orElseThrow()
                                                / seconds.stream()
                                                        .min(Double::compare)
                                                        .orElseThrow())
                                .isLessThan(1.1));
    }

    private void measure(Measured measured, LabWorker worker, ProfileGap gap) {
        int size =
                Objects.requireNonNull(Objects.requireNonNull(gap.parts().get(worker.id())).size());
        measured.at(
                worker, HostLoad.of(gap.company()), new Point(size, seconds(worker.id(), size)));
    }

    private double seconds(WorkerId worker, double size) {
        if (worker.equals(one.id())) {
            return size / 10;
        }
        return worker.equals(two.id()) ? 0.5 + size / 20 : 1 + size / 30;
    }
}
