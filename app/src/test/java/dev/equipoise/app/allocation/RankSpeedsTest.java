package dev.equipoise.app.allocation;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.slowed;
import static dev.equipoise.app.schedule.TestingPlacement.virtual;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RankSpeedsTest {

    private static final RunConfiguration SERVED =
            wants(
                    2,
                    Map.of(),
                    EQUAL,
                    new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));

    /** All on one host. */
    private final LabWorker one = worker(1, WorkerState.IDLE, Map.of());

    private final LabWorker two = worker(2, WorkerState.IDLE, Map.of());
    private final LabWorker three = worker(3, WorkerState.IDLE, Map.of());

    /** A sample takes as many seconds as the host load in percent. */
    private static Optional<SpeedFunction> byLoad(LabWorker worker, HostLoad load) {
        return Optional.of(
                SpeedFunction.piecewise(List.of(new SpeedFunction.Point(1, load.percent()))));
    }

    private static Optional<Double> seconds(RankSpeeds speeds, int rank) {
        return speeds.of(rank).map(it -> it.seconds(1));
    }

    @Test
    void serversComputeNothingAndCauseNoHostLoad() {
        var speeds = new RankSpeeds(SERVED, List.of(one, two, three), RankSpeedsTest::byLoad);

        assertThat(speeds.of(0)).isEmpty();
        assertThat(seconds(speeds, 1)).hasValue(200.0);
        assertThat(seconds(speeds, 2)).hasValue(200.0);
    }

    @Test
    void slowedRankCausesLessLoadAndTakesLonger() {
        RunConfiguration slowed = slowed(wants(2, Map.of(), EQUAL), Map.of(1, 2.0));
        var speeds = new RankSpeeds(slowed, List.of(one, two), RankSpeedsTest::byLoad);

        assertThat(speeds.load(one)).isEqualTo(new HostLoad(150));
        assertThat(seconds(speeds, 0)).hasValue(150.0);
        assertThat(seconds(speeds, 1)).hasValue(300.0);
    }

    @Test
    void remainingRankKeepsTheSlowdownOfItsPlace() {
        RunConfiguration slowed = slowed(wants(3, Map.of(), EQUAL), Map.of(2, 4.0));
        var speeds =
                new RankSpeeds(slowed, List.of(0, 2), List.of(one, three), RankSpeedsTest::byLoad);

        assertThat(speeds.load(three)).isEqualTo(new HostLoad(125));
        assertThat(seconds(speeds, 1)).hasValue(500.0);
    }

    @Test
    void virtualRanksShareOneUnslowedWorker() {
        RunConfiguration measured = slowed(virtual(3, List.of()), Map.of(1, 2.0));
        var speeds = new RankSpeeds(measured, List.of(one), RankSpeedsTest::byLoad);

        assertThat(speeds.load(one)).isEqualTo(HostLoad.ALONE);
        assertThat(seconds(speeds, 0)).hasValue(100.0);
        assertThat(seconds(speeds, 1)).hasValue(200.0);
    }

    @Test
    void specifiedSpeedOfAVirtualRankPrecedesTheMeasuredOne() {
        RunConfiguration specified = virtual(2, List.of(Execution.Speed.of(100)));
        var speeds = new RankSpeeds(specified, List.of(one), RankSpeedsTest::byLoad);

        assertThat(seconds(speeds, 0)).hasValue(0.01);
    }
}
