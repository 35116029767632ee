package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.FUNCTIONAL;
import static dev.equipoise.app.schedule.TestingPlacement.slowed;
import static dev.equipoise.app.schedule.TestingPlacement.virtual;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownSpeedsTest {

    private static final Partitioning PARTIAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.Rounding.LARGEST_REMAINDER,
                    Partitioning.Extent.PARTIAL);

    private static final Profiles.Part AT_64 = new Profiles.Part(64, 1);

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

    /** What has been measured, by worker and company. */
    private static final class Measured implements Curves {

        private record Key(WorkerId worker, Load load) {}

        private final Map<Key, List<Point>> whole = new HashMap<>();
        private final Map<Key, List<Point>> some = new HashMap<>();

        Measured whole(LabWorker worker, int company) {
            whole.put(new Key(worker.id(), new Load(100 * company)), List.of(new Point(8, 1)));
            return this;
        }

        void at(LabWorker worker, Load load, Point point) {
            some.computeIfAbsent(new Key(worker.id(), load), _ -> new ArrayList<>()).add(point);
        }

        @Override
        public Curve whole(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
            return told(whole, new Key(worker.id(), load));
        }

        @Override
        public Curve all(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
            return told(some, new Key(worker.id(), load));
        }

        private static Curve told(Map<Key, List<Point>> points, Key key) {
            return new Curve(List.of(), points.getOrDefault(key, List.of()));
        }
    }

    private KnownSpeeds of(RunConfiguration wanted, Curves measured) {
        return new KnownSpeeds(wanted, List.of(one, three, two), measured);
    }

    @Test
    void workersOfOneMachineAreProfiledTogetherAndThoseOfOthersApart() {
        RunConfiguration wanted = wants(3, Map.of(), FUNCTIONAL);

        assertThat(of(wanted, new Measured()).missing())
                .containsExactly(
                        Need.ofWholeRange(List.of(one, two)), Need.ofWholeRange(List.of(three)));
        assertThat(of(wanted, new Measured().whole(one, 2).whole(three, 1)).missing())
                .containsExactly(Need.ofWholeRange(List.of(one, two)));
        assertThat(of(wanted, new Measured().whole(one, 1).whole(two, 1).whole(three, 1)).missing())
                .as("measured alone, they say nothing of one another")
                .containsExactly(Need.ofWholeRange(List.of(one, two)));
        assertThat(of(wanted, new Measured().whole(one, 2).whole(two, 2).whole(three, 1)).missing())
                .isEmpty();
    }

    /** Who is slowed leaves the machine to the others, and must do so while they are measured. */
    @Test
    void workersAreMeasuredAsSlowAsTheRunMakesThem() {
        RunConfiguration wanted = slowed(wants(3, Map.of(), FUNCTIONAL), Map.of(0, 2.0, 1, 4.0));

        List<Need> needs = of(wanted, new Measured().whole(three, 1)).missing();

        assertThat(needs).hasSize(1);
        assertThat(needs.getFirst().parts())
                .isEqualTo(
                        Map.of(
                                one.id(), new Profiles.Part(null, 2),
                                two.id(), new Profiles.Part(null, 1)));
        var known = new Measured().whole(three, 1);
        known.whole.put(new Measured.Key(one.id(), new Load(150)), List.of(new Point(8, 1)));
        known.whole.put(new Measured.Key(two.id(), new Load(150)), List.of(new Point(8, 1)));
        assertThat(of(wanted, known).missing()).isEmpty();
    }

    @Test
    void whoServesIsNotMeasured() {
        RunConfiguration served =
                wants(
                        2,
                        Map.of(),
                        FUNCTIONAL,
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

        assertThat(of(served, new Measured()).missing())
                .containsExactly(
                        Need.ofWholeRange(List.of(three)), Need.ofWholeRange(List.of(two)));
    }

    @Test
    void runsThatGoByNoMeasuredSpeedNeedNone() {
        assertThat(of(wants(3, Map.of(), EQUAL), new Measured()).missing()).isEmpty();
        assertThat(
                        new KnownSpeeds(
                                        virtual(60, List.of(Execution.Speed.of(100))),
                                        List.of(one),
                                        new Measured())
                                .missing())
                .isEmpty();
        assertThat(new KnownSpeeds(virtual(60, List.of()), List.of(one), new Measured()).missing())
                .containsExactly(Need.ofWholeRange(List.of(one)));
    }

    /** Speeds of 1, 2 and 3 samples in a tenth of a second, with some seconds for every step. */
    @Test
    void partialModelsAskForTheTimesNearTheSharesUntilTheseAreEqual() {
        RunConfiguration wanted = wants(3, Map.of(), PARTIAL);
        var measured = new Measured();
        int asked = 0;

        List<Need> needs = of(wanted, measured).missing();
        assertThat(needs)
                .extracting(Need::parts)
                .containsExactly(
                        Map.of(one.id(), AT_64, two.id(), AT_64), Map.of(three.id(), AT_64));
        while (!needs.isEmpty() && asked < 20) {
            for (Need need : needs) {
                need.company().forEach(it -> measure(measured, it, need));
            }
            asked++;
            needs = of(wanted, measured).missing();
        }

        assertThat(asked).isBetween(2, 10);
        KnownSpeeds known = of(wanted, measured);
        var seating = new Seating(wanted, List.of(one, three, two), known::of, Optional.empty());
        assertThat(seating.seats())
                .extracting(seat -> seconds(seat.worker(), seat.share() / (double) wanted.rounds()))
                .satisfies(seconds ->
                        assertThat(
                                        seconds.stream().max(Double::compare).orElseThrow()
                                                / seconds.stream()
                                                        .min(Double::compare)
                                                        .orElseThrow())
                                .isLessThan(1.1));
    }

    private void measure(Measured measured, LabWorker worker, Need need) {
        int size =
                Objects.requireNonNull(
                        Objects.requireNonNull(need.parts().get(worker.id())).size());
        measured.at(worker, Load.of(need.company()), new Point(size, seconds(worker.id(), size)));
    }

    private double seconds(WorkerId worker, double size) {
        if (worker.equals(one.id())) {
            return size / 10;
        }
        return worker.equals(two.id()) ? 0.5 + size / 20 : 1 + size / 30;
    }
}
