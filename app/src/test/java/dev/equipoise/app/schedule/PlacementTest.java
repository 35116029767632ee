package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.FUNCTIONAL;
import static dev.equipoise.app.schedule.TestingPlacement.cordoned;
import static dev.equipoise.app.schedule.TestingPlacement.virtual;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.experiment.Alternatives.Choice;
import dev.equipoise.app.experiment.Preemption;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Waiting;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlacementTest {

    private final LabWorker one = worker(1, WorkerState.IDLE, Map.of("rack", "a"));
    private final LabWorker two = worker(2, WorkerState.IDLE, Map.of("rack", "b"));
    private final LabWorker three = worker(3, WorkerState.IDLE, Map.of("rack", "a"));

    /** What is lacking where every speed is known. */
    private static List<Need> nothing(List<LabWorker> chosen) {
        assertThat(chosen).isNotEmpty();
        return List.of();
    }

    private static List<Need> all(List<LabWorker> chosen) {
        return List.of(Need.ofWholeRange(chosen));
    }

    private static Placement.Decision decide(RunConfiguration wanted, LabWorker... live) {
        return Placement.decide(
                wanted,
                Placement.Wanted.all(wanted),
                List.of(live),
                _ -> true,
                PlacementTest::nothing,
                _ -> false,
                _ -> true);
    }

    private static Placement.Decision busy(int wanted, String message) {
        return new Placement.Decision.Busy(new Waiting("workers-busy", message), wanted);
    }

    private static Placement.Decision waits(String code, String message) {
        return new Placement.Decision.Wait(new Waiting(code, message));
    }

    @Test
    void takesTheOldestThatAreIdle() {
        LabWorker busy = worker(0, WorkerState.BUSY, Map.of());

        assertThat(decide(wants(2, Map.of(), EQUAL), busy, one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
    }

    @Test
    void takesFewerThanAreWantedWhereTheseWillDo() {
        LabWorker busy = worker(0, WorkerState.BUSY, Map.of());
        LabWorker alone = worker(4, WorkerState.IDLE, Map.of(), List.of(4));
        LabWorker seen = worker(5, WorkerState.IDLE, Map.of(), List.of(5, 6));
        LabWorker another = worker(6, WorkerState.IDLE, Map.of(), List.of(5, 6));

        assertThat(decide(2, busy, one, two))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
        assertThat(decide(2, one, two)).isEqualTo(new Placement.Decision.Place(List.of(one, two)));
        assertThat(decide(2, one, two, three, worker(4, WorkerState.IDLE, Map.of())))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two, three)));
        assertThat(decide(2, alone, seen, another))
                .isEqualTo(new Placement.Decision.Place(List.of(seen, another)));
        assertThat(decide(2, busy, one))
                .isEqualTo(busy(2, "2 workers are wanted, and 1 of 2 are idle"));
        assertThat(decide(2, one))
                .isEqualTo(waits("unsatisfiable", "2 workers are wanted, and 1 are there"));
    }

    private static Placement.Decision decide(int least, LabWorker... live) {
        return Placement.decide(
                wants(3, Map.of(), EQUAL),
                new Placement.Wanted(least, 3),
                List.of(live),
                _ -> true,
                PlacementTest::nothing,
                _ -> false,
                _ -> true);
    }

    @Test
    void takesOnlyThoseWithTheLabels() {
        assertThat(decide(wants(2, Map.of("rack", "a"), EQUAL), one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, three)));
    }

    @Test
    void waitsWhereThereAreTooFew() {
        assertThat(decide(wants(3, Map.of(), EQUAL), one, two))
                .isEqualTo(waits("unsatisfiable", "3 workers are wanted, and 2 are there"));
    }

    @Test
    void waitsWhereTooFewHaveTheLabels() {
        assertThat(decide(wants(2, Map.of("rack", "b"), EQUAL), one, two, three))
                .isEqualTo(
                        waits(
                                "unsatisfiable",
                                "2 workers are wanted with the labels {rack=b}, and 1 are there"));
    }

    @Test
    void oneThatIsLeavingDoesNotCount() {
        assertThat(
                        decide(
                                wants(2, Map.of(), EQUAL),
                                one,
                                worker(9, WorkerState.DRAINING, Map.of())))
                .isEqualTo(waits("unsatisfiable", "2 workers are wanted, and 1 are there"));
    }

    @Test
    void thoseThatAreCordonedOffAreCountedAside() {
        assertThat(decide(wants(2, Map.of(), EQUAL), one, cordoned(two), cordoned(three)))
                .isEqualTo(
                        waits(
                                "too-few-workers",
                                "2 workers are wanted, and 1 are there, besides 2 that are cordoned off"));
        assertThat(
                        decide(
                                wants(2, Map.of(), EQUAL),
                                one,
                                cordoned(two),
                                worker(8, WorkerState.BUSY, Map.of())))
                .isEqualTo(
                        busy(
                                2,
                                "2 workers are wanted, and 1 of 2 are idle, besides 1 that are cordoned off"));
    }

    @Test
    void waitsForTheBusyAndTheJoining() {
        assertThat(
                        decide(
                                wants(3, Map.of(), EQUAL),
                                one,
                                worker(8, WorkerState.BUSY, Map.of()),
                                worker(9, WorkerState.JOINING, Map.of())))
                .isEqualTo(busy(3, "3 workers are wanted, and 1 of 3 are idle"));
    }

    /** It became idle while those before this run in the queue were looked at. */
    @Test
    void leavesAWorkerThatIsForAnother() {
        assertThat(
                        Placement.decide(
                                wants(1, Map.of(), EQUAL),
                                new Placement.Wanted(1, 1),
                                List.of(one, two),
                                two::equals,
                                PlacementTest::nothing,
                                _ -> false,
                                _ -> true))
                .isEqualTo(new Placement.Decision.Place(List.of(two)));
    }

    @Test
    void waitsUntilAllSeeOneAnotherAndSaysWhoDoesNot() {
        LabWorker blind = worker(4, WorkerState.IDLE, Map.of(), List.of(4));

        assertThat(decide(wants(2, Map.of(), EQUAL), one, blind))
                .isEqualTo(
                        waits(
                                "cluster-forming",
                                "the workers do not all see one another yet: worker-4 does not see"
                                        + " worker-1"));
        assertThat(decide(wants(4, Map.of(), EQUAL), blind, lonely(5), lonely(6), lonely(7)))
                .isEqualTo(
                        waits(
                                "cluster-forming",
                                "the workers do not all see one another yet: worker-4 does not see"
                                        + " worker-5, worker-4 does not see worker-6, worker-4 does"
                                        + " not see worker-7, and 9 more"));
    }

    private static LabWorker lonely(int number) {
        return worker(number, WorkerState.IDLE, Map.of(), List.of(number));
    }

    @Test
    void oneThatNobodySeesIsPassedOverWhereThereAreOthers() {
        LabWorker eldest = worker(0, WorkerState.IDLE, Map.of(), List.of(0));
        LabWorker second = worker(4, WorkerState.IDLE, Map.of(), List.of(4, 5));
        LabWorker third = worker(5, WorkerState.IDLE, Map.of(), List.of(4, 5));

        assertThat(decide(wants(2, Map.of(), EQUAL), eldest, second, third))
                .isEqualTo(new Placement.Decision.Place(List.of(second, third)));
        assertThat(decide(wants(1, Map.of(), EQUAL), eldest, second, third))
                .isEqualTo(new Placement.Decision.Place(List.of(eldest)));
    }

    @Test
    void functionalPartitioningAsksForTheProfilesThatAreMissing() {
        assertThat(
                        Placement.decide(
                                wants(3, Map.of(), FUNCTIONAL),
                                new Placement.Wanted(3, 3),
                                List.of(one, two, three),
                                _ -> true,
                                PlacementTest::all,
                                _ -> false,
                                _ -> true))
                .isEqualTo(
                        new Placement.Decision.Profile(
                                all(List.of(one, two, three)),
                                new Waiting(
                                        "profiling",
                                        "the profiles of 3 workers are being measured")));
    }

    @Test
    void aRunForWhichTheLabHasTooLittleMemoryIsToldSo() {
        LabWorker small =
                worker(
                        7,
                        new HostDescription("host", 1, 1, 1 << 20, "Linux", "oneDNN", 1),
                        WorkerState.IDLE,
                        Map.of(),
                        List.of(7));

        assertThat(decide(wants(1, Map.of(), FUNCTIONAL), small))
                .isEqualTo(
                        waits(
                                "unsatisfiable",
                                "64 samples of a round are wanted, and the 1 workers with the most memory have memory for 0"));
        assertThat(decide(wants(1, Map.of(), EQUAL), small))
                .isInstanceOf(Placement.Decision.Place.class);
    }

    @Test
    void whereTheOldestHaveTooLittleMemoryThoseWithTheMostAreTaken() {
        LabWorker small =
                worker(
                        0,
                        new HostDescription("host", 1, 1, 1 << 20, "Linux", "oneDNN", 1),
                        WorkerState.IDLE,
                        Map.of(),
                        List.of(0, 1));

        assertThat(decide(wants(1, Map.of(), FUNCTIONAL), small, one))
                .isEqualTo(new Placement.Decision.Place(List.of(one)));
        assertThat(
                        decide(
                                wants(1, Map.of(), FUNCTIONAL),
                                small,
                                worker(8, WorkerState.BUSY, Map.of())))
                .isEqualTo(
                        new Placement.Decision.Busy(
                                new Waiting(
                                        "too-little-memory",
                                        "64 samples of a round are wanted, and the workers have memory for 0"),
                                2));
    }

    @Test
    void saysThatItWaitsForProfiles() {
        LabWorker measuring = worker(8, WorkerState.BUSY, Map.of());
        LabWorker aboutTo = worker(9, WorkerState.IDLE, Map.of());

        assertThat(
                        Placement.decide(
                                wants(3, Map.of(), FUNCTIONAL),
                                new Placement.Wanted(3, 3),
                                List.of(one, measuring, aboutTo),
                                one::equals,
                                PlacementTest::all,
                                List.of(measuring, aboutTo)::contains,
                                _ -> true))
                .isEqualTo(waits("profiling", "the profiles of 2 workers are being measured"));
    }

    @Test
    void otherWorkThatItWaitsForCountsMore() {
        LabWorker measuring = worker(8, WorkerState.BUSY, Map.of());
        LabWorker training = worker(9, WorkerState.BUSY, Map.of());

        assertThat(
                        Placement.decide(
                                wants(3, Map.of(), FUNCTIONAL),
                                new Placement.Wanted(3, 3),
                                List.of(one, measuring, training),
                                _ -> true,
                                PlacementTest::all,
                                measuring::equals,
                                _ -> true))
                .isEqualTo(busy(3, "3 workers are wanted, and 1 of 3 are idle"));
    }

    @Test
    void equalSharesNeedNoProfile() {
        assertThat(
                        Placement.decide(
                                wants(2, Map.of(), EQUAL),
                                new Placement.Wanted(2, 2),
                                List.of(one, two),
                                _ -> true,
                                PlacementTest::nothing,
                                _ -> false,
                                _ -> true))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
    }

    @Test
    void aRingThatFollowsLinksAsksForThemWhereTheyAreNotKnown() {
        RunConfiguration wanted =
                wants(
                        2,
                        Map.of(),
                        EQUAL,
                        new Topology.AllReduce(Topology.Algorithm.RING, Topology.Order.BY_LINK));

        assertThat(linksKnown(wanted, false))
                .isEqualTo(
                        new Placement.Decision.ProfileLinks(
                                List.of(one, two),
                                new Waiting(
                                        "profiling-links",
                                        "the links between 2 workers are being measured")));
        assertThat(linksKnown(wanted, true))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
    }

    private Placement.Decision linksKnown(RunConfiguration wanted, boolean known) {
        return Placement.decide(
                wanted,
                Placement.Wanted.all(wanted),
                List.of(one, two, three),
                _ -> true,
                PlacementTest::nothing,
                _ -> false,
                workers -> known && workers.equals(List.of(one, two)));
    }

    @Test
    void aVirtualRunTakesOneWorkerHoweverManyReplicasItHas() {
        LabWorker lonely = lonely(4);

        assertThat(decide(virtual(60, List.of(Execution.Speed.of(100))), lonely, two))
                .isEqualTo(new Placement.Decision.Place(List.of(lonely)));
        assertThat(decide(virtual(60, List.of(Execution.Speed.of(100)))))
                .isEqualTo(waits("unsatisfiable", "1 workers are wanted, and 0 are there"));
    }

    @Test
    void whoServesTakesAWorkerToo() {
        RunConfiguration served =
                wants(
                        1,
                        Map.of(),
                        EQUAL,
                        new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN));

        assertThat(decide(served, one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two, three)));
        assertThat(decide(served, one, two))
                .isEqualTo(waits("unsatisfiable", "3 workers are wanted, and 2 are there"));
    }

    /** The same configuration, of which some choices are left to the service. */
    private static RunConfiguration open(RunConfiguration told, Choice... choices) {
        return new RunConfiguration(
                told.apiVersion(),
                told.name(),
                told.dataset(),
                told.network(),
                told.training(),
                told.workers(),
                told.partitioning(),
                told.synchronization(),
                told.topology(),
                told.compression(),
                told.channel(),
                told.heterogeneity(),
                told.execution(),
                told.evaluation(),
                false,
                false,
                Preemption.NEVER,
                new RunConfiguration.Checkpoint(0, 1),
                0,
                1,
                new RunConfiguration.Automatic(
                        List.of(choices), JsonMapper.shared().createObjectNode(), null));
    }

    private static Placement.Decision decideOpen(
            RunConfiguration open, List<LabWorker> unknown, LabWorker... live) {
        return Placement.decideOpen(
                open,
                List.of(live),
                _ -> true,
                _ -> unknown.isEmpty() ? List.of() : all(unknown),
                _ -> false);
    }

    @Test
    void whatIsLeftOpenIsChosenAmongAllThatFitAndAreIdle() {
        RunConfiguration open = open(wants(2, Map.of("rack", "a"), EQUAL), Choice.REPLICAS);
        LabWorker busy = worker(4, WorkerState.BUSY, Map.of("rack", "a"));

        assertThat(decideOpen(open, List.of(), one, two, three, busy))
                .isEqualTo(new Placement.Decision.Place(List.of(one, three)));
    }

    /** Or the choice would be among those that happen to be profiled. */
    @Test
    void aRunThatLeavesSomethingOpenWaitsForTheProfilesOfAll() {
        RunConfiguration open = open(wants(1, Map.of(), EQUAL), Choice.TOPOLOGY);

        assertThat(decideOpen(open, List.of(two), one, two, three))
                .isEqualTo(
                        new Placement.Decision.Profile(
                                all(List.of(two)),
                                new Waiting(
                                        "profiling",
                                        "the profiles of 1 workers are being measured")));
        assertThat(
                        Placement.decideOpen(
                                open,
                                List.of(one, two),
                                _ -> true,
                                PlacementTest::nothing,
                                two::equals))
                .isEqualTo(waits("profiling", "the profiles of 1 workers are being measured"));
    }

    @Test
    void asManyReplicasAsAreToldAreWantedAtLeast() {
        RunConfiguration told = wants(3, Map.of(), EQUAL);
        LabWorker busy = worker(4, WorkerState.BUSY, Map.of());

        assertThat(decideOpen(open(told, Choice.TOPOLOGY), List.of(), one, two))
                .isEqualTo(waits("unsatisfiable", "3 workers are wanted, and 2 are there"));
        assertThat(decideOpen(open(told, Choice.TOPOLOGY), List.of(), one, two, busy))
                .isEqualTo(busy(3, "3 workers are wanted, and 2 of 3 are idle"));
        assertThat(decideOpen(open(told, Choice.REPLICAS), List.of(), one))
                .isEqualTo(new Placement.Decision.Place(List.of(one)));
    }

    @Test
    void workersThatDoNotSeeOneAnotherAreNotChosenAmong() {
        LabWorker alone = worker(5, WorkerState.IDLE, Map.of(), List.of());

        assertThat(
                        decideOpen(
                                open(wants(1, Map.of(), EQUAL), Choice.REPLICAS),
                                List.of(),
                                one,
                                alone))
                .isInstanceOfSatisfying(
                        Placement.Decision.Wait.class,
                        wait -> assertThat(wait.reason().code()).isEqualTo("cluster-forming"));
    }
}
