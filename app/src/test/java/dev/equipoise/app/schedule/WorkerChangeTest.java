package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.PeerProbe;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerChangeTest {

    private static final RunConfiguration RING =
            elastic(3, 2, Topology.AllReduce.by(Topology.Algorithm.RING));

    private static final LabWorker A = busy(0);
    private static final LabWorker B = busy(1);
    private static final LabWorker C = busy(2);
    private static final LabWorker IDLE = TestingPlacement.worker(3, WorkerState.IDLE, Map.of());

    private static RunConfiguration elastic(int replicas, int minimum, Topology topology) {
        return TestingPlacement.atLeast(
                minimum,
                TestingPlacement.wants(replicas, Map.of(), TestingPlacement.EQUAL, topology));
    }

    private static LabWorker busy(int number) {
        return TestingPlacement.worker(number, WorkerState.BUSY, Map.of());
    }

    private static LabWorker drained(LabWorker worker) {
        return TestingPlacement.cordoned(worker, Cordon.DRAINED);
    }

    /** The change of a run on all busy workers. */
    private static WorkerChange change(RunConfiguration configuration, LabWorker... live) {
        return change(configuration, Integer.MAX_VALUE, _ -> true, live);
    }

    private static WorkerChange change(
            RunConfiguration configuration,
            int unusedQuota,
            Predicate<WorkerId> mayLeave,
            LabWorker... live) {
        return WorkerChange.of(
                configuration,
                Stream.of(live)
                        .filter(it -> it.state() == WorkerState.BUSY)
                        .map(LabWorker::id)
                        .toList(),
                List.of(live),
                unusedQuota,
                mayLeave,
                it -> it.state() == WorkerState.IDLE);
    }

    @Test
    void drainedWorkerLeavesAboveTheMinimum() {
        assertThat(change(RING, A, drained(B), C))
                .isEqualTo(new WorkerChange(List.of(B.id()), List.of()));
    }

    /** A failure between two workers of the run keeps no other one out. */
    @Test
    void workerThatARankCannotReachDoesNotJoin() {
        LabWorker idle = TestingPlacement.settled(IDLE, "idle:1", List.of());
        LabWorker reaching = TestingPlacement.settled(A, "a:1", List.of());
        LabWorker missing = TestingPlacement.settled(A, "a:1", List.of(missed(idle, "idle:1")));
        LabWorker apart = TestingPlacement.settled(B, "b:1", List.of(missed(A, "a:1")));

        assertThat(change(RING, reaching, B, idle).joining()).containsExactly(idle);
        assertThat(change(RING, missing, B, idle).joining()).isEmpty();
        assertThat(change(RING, reaching, apart, idle).joining()).containsExactly(idle);
    }

    private static PeerProbe missed(LabWorker worker, String address) {
        return new PeerProbe(
                worker.id(), address, "connection refused", Instant.EPOCH, 1, Instant.EPOCH);
    }

    @Test
    void cordonedWorkerStays() {
        assertThat(change(RING, A, TestingPlacement.cordoned(B), C).isNone()).isTrue();
    }

    @Test
    void drainedWorkerStaysAtTheMinimum() {
        assertThat(change(RING, A, drained(B)).isNone()).isTrue();
    }

    @Test
    void drainedWorkersLeaveDownToTheMinimum() {
        assertThat(change(RING, drained(A), drained(B), C).leaving()).containsExactly(A.id());
    }

    @Test
    void idleWorkerReplacesDrainedWorker() {
        assertThat(change(RING, drained(A), drained(B), C, IDLE))
                .isEqualTo(new WorkerChange(List.of(A.id(), B.id()), List.of(IDLE)));
    }

    @Test
    void exhaustedQuotaAdmitsNoWorker() {
        assertThat(change(RING, 0, _ -> true, A, drained(B), C, IDLE))
                .isEqualTo(new WorkerChange(List.of(B.id()), List.of()));
    }

    @Test
    void workerThatMayNotLeaveKeepsItsPlace() {
        assertThat(change(RING, Integer.MAX_VALUE, _ -> false, A, drained(B), C, IDLE).isNone())
                .isTrue();
    }

    @Test
    void idleWorkerTakesFreePlace() {
        assertThat(change(RING, A, B, IDLE)).isEqualTo(new WorkerChange(List.of(), List.of(IDLE)));
    }

    @Test
    void workerThatNotAllSeeDoesNotJoin() {
        LabWorker unseen = TestingPlacement.worker(3, WorkerState.IDLE, Map.of(), List.of(3));

        assertThat(change(RING, A, B, unseen).isNone()).isTrue();
    }

    @Test
    void parameterServerStays() {
        RunConfiguration served =
                elastic(2, 1, new Topology.ParameterServer(1, false, Topology.Aggregate.SUM));

        assertThat(change(served, drained(A), B, C).isNone()).isTrue();
        assertThat(change(served, A, drained(B), C).leaving()).containsExactly(B.id());
    }

    @Test
    void lastReplicaStaysUntilAnotherHasJoined() {
        RunConfiguration pair = elastic(2, 1, Topology.AllReduce.by(Topology.Algorithm.RING));

        assertThat(change(pair, drained(A), IDLE))
                .isEqualTo(new WorkerChange(List.of(), List.of(IDLE)));
        assertThat(change(pair, drained(A), drained(B), IDLE))
                .isEqualTo(new WorkerChange(List.of(A.id()), List.of(IDLE)));
    }

    @Test
    void lastReplicaOfServersStaysUntilAnotherHasJoined() {
        RunConfiguration served =
                elastic(2, 1, new Topology.ParameterServer(1, false, Topology.Aggregate.SUM));

        assertThat(change(served, A, drained(B), IDLE))
                .isEqualTo(new WorkerChange(List.of(), List.of(IDLE)));
    }
}
