package dev.equipoise.app.worker;

import static dev.equipoise.app.worker.TestingWorkers.id;
import static dev.equipoise.app.worker.TestingWorkers.missed;
import static dev.equipoise.app.worker.TestingWorkers.reached;
import static dev.equipoise.app.worker.TestingWorkers.worker;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReachabilityTest {

    private static List<String> messages(List<LabWorker> some, List<LabWorker> live) {
        return Reachability.failures(some, live).stream()
                .map(ReachabilityFailure::message)
                .toList();
    }

    @Test
    void failedProbeNamesBothWorkersAndTheAddress() {
        List<LabWorker> all = List.of(worker(1, missed(2), reached(3)), worker(2), worker(3));

        assertThat(Reachability.failures(all, all))
                .containsExactly(
                        new ReachabilityFailure(
                                id(1),
                                id(2),
                                "worker-2 cannot be reached by worker-1 at host-2:5702: connection"
                                        + " timed out"));
        assertThat(Reachability.group(all, all))
                .extracting(LabWorker::id)
                .containsExactly(id(1), id(3));
    }

    @Test
    void workersWithoutFailuresAreTheGiven() {
        List<LabWorker> all = List.of(worker(1, reached(2)), worker(2));

        assertThat(Reachability.failures(all, all)).isEmpty();
        assertThat(Reachability.group(all, all)).isSameAs(all);
    }

    /** The worker has moved since the probe. */
    @Test
    void failureAtAFormerAddressDoesNotCount() {
        var former = new PeerProbe(id(2), "old:1", "refused", Instant.EPOCH, 1, Instant.EPOCH);
        List<LabWorker> all = List.of(worker(1, former), worker(2));

        assertThat(Reachability.failures(all, all)).isEmpty();
    }

    /** Worker 9 has not probed it, and is told what others have found. */
    @Test
    void workerThatAllProbersMissIsUnreachableForOthersToo() {
        LabWorker one = worker(1, missed(4));
        LabWorker two = worker(2, missed(4));
        LabWorker nine = worker(9);
        LabWorker lost = worker(4);

        assertThat(messages(List.of(nine, lost), List.of(one, two, nine, lost)))
                .containsExactly(
                        "worker-4 cannot be reached by worker-1 at host-4:5702: connection timed"
                                + " out");
        assertThat(messages(List.of(nine, lost), List.of(one, nine, lost)))
                .as("one prober alone")
                .isEmpty();
        assertThat(
                        messages(
                                List.of(nine, lost),
                                List.of(one, two, worker(3, reached(4)), nine, lost)))
                .as("one prober reaches it")
                .isEmpty();
    }

    @Test
    void oneUnreachableWorkerExcludesNoOther() {
        LabWorker lost = worker(1);
        List<LabWorker> all =
                List.of(lost, worker(2, missed(1)), worker(3, missed(1)), worker(4, missed(1)));

        assertThat(Reachability.group(all, all))
                .extracting(LabWorker::id)
                .containsExactly(id(2), id(3), id(4));
    }

    @Test
    void gapCountsOnceBothHadTheTimeToJoin() {
        LabWorker inside = worker(1);
        LabWorker alone = worker(2, WorkerState.IDLE, Set.of(id(2)), null);
        LabWorker coming = worker(3, WorkerState.IDLE, Set.of(id(3)), Instant.MAX);
        LabWorker silent = worker(4, WorkerState.JOINING, Set.of(), null);
        LabWorker out = worker(5, WorkerState.IDLE, Set.of(), null);

        assertThat(messages(List.of(inside, alone, coming, silent), List.of()))
                .containsExactly("worker-2 does not see worker-1 at host-1:5701 in the cluster");
        assertThat(messages(List.of(out), List.of())).containsExactly("worker-5 is in no cluster");
        assertThat(Reachability.group(List.of(out), List.of())).isEmpty();
    }
}
