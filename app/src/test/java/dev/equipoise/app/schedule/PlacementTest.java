package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.FUNCTIONAL;
import static dev.equipoise.app.schedule.TestingPlacement.cordoned;
import static dev.equipoise.app.schedule.TestingPlacement.virtual;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.wantsFolder;
import static dev.equipoise.app.schedule.TestingPlacement.withFolders;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.allocation.ProfileGap;
import dev.equipoise.app.configuration.Automatic;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.PeerProbe;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Topology;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlacementTest {

    private final LabWorker one = worker(1, WorkerState.IDLE, Map.of("rack", "a"));
    private final LabWorker two = worker(2, WorkerState.IDLE, Map.of("rack", "b"));
    private final LabWorker three = worker(3, WorkerState.IDLE, Map.of("rack", "a"));

    /** No gaps: all speed functions are measured. */
    private static List<ProfileGap> none(List<LabWorker> chosen) {
        assertThat(chosen).isNotEmpty();
        return List.of();
    }

    private static List<ProfileGap> all(List<LabWorker> chosen) {
        return List.of(ProfileGap.ofWholeRange(chosen));
    }

    private static Placement.Decision decide(RunConfiguration wanted, LabWorker... live) {
        return Placement.decide(
                wanted,
                Placement.Wanted.all(wanted),
                List.of(live),
                _ -> true,
                PlacementTest::none,
                _ -> false,
                _ -> true);
    }

    private static Placement.Decision busy(int wanted, String message) {
        return new Placement.Decision.Busy(new WaitReason("workers-busy", message), wanted);
    }

    private static Placement.Decision waits(String code, String message) {
        return new Placement.Decision.Wait(new WaitReason(code, message));
    }

    private static Placement.Decision lacksWorkers(String message) {
        return waits(
                "unsatisfiable",
                message
                        + "; this wait does not end by itself: start more agents, or cancel the run"
                        + " and ask for fewer workers");
    }

    @Test
    void oldestIdleWorkersAreTaken() {
        LabWorker busy = worker(0, WorkerState.BUSY, Map.of());

        assertThat(decide(wants(2, Map.of(), EQUAL), busy, one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
    }

    @Test
    void fewerWorkersAreTakenAboveTheMinimum() {
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
                .isEqualTo(busy(2, "2 workers needed, 1 of 2 eligible workers idle"));
        assertThat(decide(2, one)).isEqualTo(lacksWorkers("2 workers needed, 1 available"));
    }

    private static Placement.Decision decide(int minimum, LabWorker... live) {
        return Placement.decide(
                wants(3, Map.of(), EQUAL),
                new Placement.Wanted(minimum, 3),
                List.of(live),
                _ -> true,
                PlacementTest::none,
                _ -> false,
                _ -> true);
    }

    @Test
    void onlyWorkersWithTheLabelsAreTaken() {
        assertThat(decide(wants(2, Map.of("rack", "a"), EQUAL), one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, three)));
    }

    @Test
    void onlyWorkersThatMayHaveTheDataFolderAreTaken() {
        RunConfiguration wanted = wantsFolder(2, "flowers");
        LabWorker without = withFolders(one, List.of("birds"));
        LabWorker with = withFolders(two, List.of("birds", "flowers"));
        LabWorker unknown = withFolders(three, null);

        assertThat(decide(wanted, without, with, unknown))
                .isEqualTo(new Placement.Decision.Place(List.of(with, unknown)));
        assertThat(decide(wanted, without, with))
                .isEqualTo(
                        waits(
                                "unsatisfiable",
                                "2 workers needed with the data folder flowers, 1 available; this"
                                        + " wait does not end by itself: start agents with the data"
                                        + " folder, or add the folder to the hosts of agents that"
                                        + " run, or cancel the run"));
        assertThat(decide(wants(2, Map.of(), EQUAL), without, with))
                .isEqualTo(new Placement.Decision.Place(List.of(without, with)));
    }

    @Test
    void tooFewWorkersMakeARunUnsatisfiable() {
        assertThat(decide(wants(3, Map.of(), EQUAL), one, two))
                .isEqualTo(lacksWorkers("3 workers needed, 2 available"));
    }

    @Test
    void tooFewWorkersWithTheLabelsMakeARunUnsatisfiable() {
        assertThat(decide(wants(2, Map.of("rack", "b"), EQUAL), one, two, three))
                .isEqualTo(
                        waits(
                                "unsatisfiable",
                                "2 workers needed with the labels {rack=b}, 1 available; this wait"
                                        + " does not end by itself: start agents with these labels,"
                                        + " or cancel the run and change workers.selector"));
    }

    @Test
    void drainingWorkerDoesNotCount() {
        assertThat(
                        decide(
                                wants(2, Map.of(), EQUAL),
                                one,
                                worker(9, WorkerState.DRAINING, Map.of())))
                .isEqualTo(lacksWorkers("2 workers needed, 1 available"));
    }

    @Test
    void cordonedWorkersAreCountedSeparately() {
        assertThat(decide(wants(2, Map.of(), EQUAL), one, cordoned(two), cordoned(three)))
                .isEqualTo(waits("too-few-workers", "2 workers needed, 1 available, 2 cordoned"));
        assertThat(
                        decide(
                                wants(2, Map.of(), EQUAL),
                                one,
                                cordoned(two),
                                worker(8, WorkerState.BUSY, Map.of())))
                .isEqualTo(busy(2, "2 workers needed, 1 of 2 eligible workers idle, 1 cordoned"));
    }

    @Test
    void runWaitsForBusyAndJoiningWorkers() {
        assertThat(
                        decide(
                                wants(3, Map.of(), EQUAL),
                                one,
                                worker(8, WorkerState.BUSY, Map.of()),
                                worker(9, WorkerState.JOINING, Map.of())))
                .isEqualTo(busy(3, "3 workers needed, 1 of 3 eligible workers idle"));
    }

    /** Covers a worker that became idle during the pass. */
    @Test
    void idleWorkerThatIsNotFreeIsSkipped() {
        assertThat(
                        Placement.decide(
                                wants(1, Map.of(), EQUAL),
                                new Placement.Wanted(1, 1),
                                List.of(one, two),
                                two::equals,
                                PlacementTest::none,
                                _ -> false,
                                _ -> true))
                .isEqualTo(new Placement.Decision.Place(List.of(two)));
    }

    @Test
    void runWaitsUntilAllWorkersSeeOneAnother() {
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
    void unseenWorkerIsSkippedIfOthersSuffice() {
        LabWorker oldest = worker(0, WorkerState.IDLE, Map.of(), List.of(0));
        LabWorker second = worker(4, WorkerState.IDLE, Map.of(), List.of(4, 5));
        LabWorker third = worker(5, WorkerState.IDLE, Map.of(), List.of(4, 5));

        assertThat(decide(wants(2, Map.of(), EQUAL), oldest, second, third))
                .isEqualTo(new Placement.Decision.Place(List.of(second, third)));
        assertThat(decide(wants(1, Map.of(), EQUAL), oldest, second, third))
                .isEqualTo(new Placement.Decision.Place(List.of(oldest)));
    }

    @Test
    void functionalPartitioningRequiresMissingProfiles() {
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
                                new WaitReason(
                                        "profiling",
                                        "the profiles of 3 workers are being measured")));
    }

    @Test
    void tooLittleMemoryInTheLabMakesARunUnsatisfiable() {
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
                                "a round has 64 samples, and the 1 workers with the most memory have memory for 0;"
                                        + " this wait does not end by itself: start agents with"
                                        + " more memory, or cancel the run and lower"
                                        + " training.batchSize"));
        assertThat(decide(wants(1, Map.of(), EQUAL), small))
                .isInstanceOf(Placement.Decision.Place.class);
    }

    @Test
    void workersWithMostMemoryReplaceOldestWithTooLittle() {
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
                                new WaitReason(
                                        "too-little-memory",
                                        "a round has 64 samples, and the workers have memory for 0"),
                                2));
    }

    @Test
    void runWaitsForProfilesUnderWay() {
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
    void busyWorkersOutweighProfilesUnderWay() {
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
                .isEqualTo(busy(3, "3 workers needed, 1 of 3 eligible workers idle"));
    }

    @Test
    void equalSharesNeedNoProfiles() {
        assertThat(
                        Placement.decide(
                                wants(2, Map.of(), EQUAL),
                                new Placement.Wanted(2, 2),
                                List.of(one, two),
                                _ -> true,
                                PlacementTest::none,
                                _ -> false,
                                _ -> true))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two)));
    }

    @Test
    void ringByLinkRequiresLinkMeasurements() {
        RunConfiguration wanted =
                wants(
                        2,
                        Map.of(),
                        EQUAL,
                        new Topology.AllReduce(
                                Topology.Algorithm.RING, Topology.RingOrder.BY_LINK));

        assertThat(linksKnown(wanted, false))
                .isEqualTo(
                        new Placement.Decision.ProfileLinks(
                                List.of(one, two),
                                new WaitReason(
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
                PlacementTest::none,
                _ -> false,
                workers -> known && workers.equals(List.of(one, two)));
    }

    @Test
    void virtualRunTakesOneWorker() {
        LabWorker lonely = lonely(4);

        assertThat(decide(virtual(60, List.of(Execution.Speed.of(100))), lonely, two))
                .isEqualTo(new Placement.Decision.Place(List.of(lonely)));
        assertThat(decide(virtual(60, List.of(Execution.Speed.of(100)))))
                .isEqualTo(lacksWorkers("1 workers needed, 0 available"));
    }

    @Test
    void parameterServersTakeWorkersAsWell() {
        RunConfiguration served =
                wants(
                        1,
                        Map.of(),
                        EQUAL,
                        new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN));

        assertThat(decide(served, one, two, three))
                .isEqualTo(new Placement.Decision.Place(List.of(one, two, three)));
        assertThat(decide(served, one, two))
                .isEqualTo(lacksWorkers("3 workers needed, 2 available"));
    }

    /** The configuration with some choices left to automatic configuration. */
    private static RunConfiguration open(RunConfiguration fixed, Choice... choices) {
        return fixed.with(
                new Automatic(List.of(choices), JsonMapper.shared().createObjectNode(), null));
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
    void automaticRunGetsAllIdleEligibleWorkers() {
        RunConfiguration open = open(wants(2, Map.of("rack", "a"), EQUAL), Choice.REPLICAS);
        LabWorker busy = worker(4, WorkerState.BUSY, Map.of("rack", "a"));

        assertThat(decideOpen(open, List.of(), one, two, three, busy))
                .isEqualTo(new Placement.Decision.Place(List.of(one, three)));
    }

    /** Otherwise the choice would depend on which workers happen to be profiled. */
    @Test
    void automaticRunWaitsForProfilesOfAllWorkers() {
        RunConfiguration open = open(wants(1, Map.of(), EQUAL), Choice.TOPOLOGY);

        assertThat(decideOpen(open, List.of(two), one, two, three))
                .isEqualTo(
                        new Placement.Decision.Profile(
                                all(List.of(two)),
                                new WaitReason(
                                        "profiling",
                                        "the profiles of 1 workers are being measured")));
        assertThat(
                        Placement.decideOpen(
                                open,
                                List.of(one, two),
                                _ -> true,
                                PlacementTest::none,
                                two::equals))
                .isEqualTo(waits("profiling", "the profiles of 1 workers are being measured"));
    }

    @Test
    void fixedReplicasAreTheMinimum() {
        RunConfiguration fixed = wants(3, Map.of(), EQUAL);
        LabWorker busy = worker(4, WorkerState.BUSY, Map.of());

        assertThat(decideOpen(open(fixed, Choice.TOPOLOGY), List.of(), one, two))
                .isEqualTo(lacksWorkers("3 workers needed, 2 available"));
        assertThat(decideOpen(open(fixed, Choice.TOPOLOGY), List.of(), one, two, busy))
                .isEqualTo(busy(3, "3 workers needed, 2 of 3 eligible workers idle"));
        assertThat(decideOpen(open(fixed, Choice.REPLICAS), List.of(), one))
                .isEqualTo(new Placement.Decision.Place(List.of(one)));
    }

    @Test
    void automaticRunWaitsUntilAllWorkersSeeOneAnother() {
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

    private static LabWorker at(LabWorker worker, PeerProbe... probes) {
        return TestingPlacement.settled(worker, worker.name() + ":5702", List.of(probes));
    }

    private static PeerProbe missed(LabWorker worker) {
        return new PeerProbe(
                worker.id(),
                worker.name() + ":5702",
                "connection timed out",
                Instant.EPOCH,
                1,
                Instant.EPOCH);
    }

    @Test
    void workersThatCannotReachOneAnotherAreNotPlacedTogether() {
        LabWorker oldest = at(one, missed(two));

        assertThat(decide(wants(2, Map.of(), EQUAL), oldest, at(two), at(three)))
                .isEqualTo(new Placement.Decision.Place(List.of(oldest, at(three))));
        assertThat(decide(wants(1, Map.of(), EQUAL), oldest, at(two)))
                .isEqualTo(new Placement.Decision.Place(List.of(oldest)));
    }

    @Test
    void waitReasonNamesTheWorkersAndTheAddress() {
        assertThat(decide(wants(2, Map.of(), EQUAL), at(one, missed(two)), at(two)))
                .isEqualTo(
                        waits(
                                "unreachable-workers",
                                "2 workers needed that reach one another, 1 of 2 do: worker-2"
                                        + " cannot be reached by worker-1 at worker-2:5702:"
                                        + " connection timed out"));
    }

    @Test
    void runWaitsForBusyWorkersThatItsIdleOnesReach() {
        LabWorker busy = at(worker(8, WorkerState.BUSY, Map.of()));

        assertThat(decide(wants(2, Map.of(), EQUAL), at(one, missed(two)), at(two), busy))
                .isEqualTo(
                        busy(
                                2,
                                "2 workers needed, 1 of 3 eligible workers idle; worker-2 cannot be"
                                        + " reached by worker-1 at worker-2:5702: connection timed"
                                        + " out"));
    }

    /** The attempt to form a cluster is over, and has a reason with the addresses. */
    @Test
    void clusterThatDoesNotFormInTimeIsNotAwaited() {
        LabWorker alone = at(lonely(4));

        assertThat(decide(wants(2, Map.of(), EQUAL), at(one), alone))
                .isEqualTo(
                        waits(
                                "unreachable-workers",
                                "2 workers needed that reach one another, 1 of 2 do: worker-4 does"
                                        + " not see worker-1 at address in the cluster"));
        assertThat(decide(wants(2, Map.of(), EQUAL), alone, at(one), at(two)))
                .isEqualTo(new Placement.Decision.Place(List.of(at(one), at(two))));
    }

    @Test
    void automaticRunGetsTheWorkersThatReachOneAnother() {
        assertThat(
                        decideOpen(
                                open(wants(1, Map.of(), EQUAL), Choice.REPLICAS),
                                List.of(),
                                at(one, missed(two)),
                                at(two),
                                at(three)))
                .isEqualTo(new Placement.Decision.Place(List.of(at(one, missed(two)), at(three))));
    }

    @Test
    void virtualRunNeedsNoReachableWorker() {
        LabWorker lonely = at(lonely(4), missed(two));

        assertThat(decide(virtual(60, List.of(Execution.Speed.of(100))), lonely, at(two)))
                .isEqualTo(new Placement.Decision.Place(List.of(lonely)));
    }
}
