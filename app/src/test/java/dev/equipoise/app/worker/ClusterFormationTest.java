package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterFormationTest {

    private static WorkerId id(int number) {
        return WorkerId.of(new UUID(0, number));
    }

    private static LabWorker worker(int number, WorkerState state, Integer... sees) {
        Set<WorkerId> seen =
                Stream.of(sees).map(ClusterFormationTest::id).collect(Collectors.toSet());
        return new LabWorker(
                id(number),
                "worker " + number,
                state,
                Cordon.OPEN,
                new HostDescription("host", 1, 1, 1, "Linux", "oneDNN", 1),
                Map.of(),
                "address " + number,
                seen,
                Instant.EPOCH.plusSeconds(number),
                Instant.EPOCH);
    }

    @Test
    void membersAreOtherWorkersOldestFirst() {
        List<LabWorker> live =
                List.of(
                        worker(1, WorkerState.IDLE),
                        worker(2, WorkerState.BUSY),
                        worker(3, WorkerState.JOINING));

        assertThat(ClusterFormation.membersFor(id(2), live))
                .containsExactly("address 1", "address 3");
        assertThat(ClusterFormation.membersFor(id(9), live)).hasSize(3);
    }

    @Test
    void workerThatDoesNotSeeOldestMustRejoin() {
        LabWorker oldest = worker(1, WorkerState.IDLE, 1);
        LabWorker aside = worker(2, WorkerState.IDLE, 2);
        LabWorker inside = worker(3, WorkerState.IDLE, 1, 3);
        List<LabWorker> live = List.of(oldest, aside, inside);

        assertThat(ClusterFormation.mustRejoin(oldest, live)).isFalse();
        assertThat(ClusterFormation.mustRejoin(aside, live)).isTrue();
        assertThat(ClusterFormation.mustRejoin(inside, live)).isFalse();
    }

    @Test
    void joiningWorkerIsNotTheReference() {
        LabWorker silent = worker(1, WorkerState.JOINING);
        LabWorker oldest = worker(2, WorkerState.IDLE, 2);

        assertThat(ClusterFormation.mustRejoin(oldest, List.of(silent, oldest))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IDLE")
    void onlyIdleWorkerMustRejoin(WorkerState state) {
        LabWorker aside = worker(2, state, 2);

        assertThat(
                        ClusterFormation.mustRejoin(
                                aside, List.of(worker(1, WorkerState.IDLE, 1), aside)))
                .isFalse();
    }

    @Test
    void unseenOldestWorkerIsNotTheReference() {
        LabWorker unreachable = worker(1, WorkerState.IDLE, 1);
        LabWorker second = worker(2, WorkerState.IDLE, 2, 3);
        LabWorker third = worker(3, WorkerState.IDLE, 2, 3);
        LabWorker aside = worker(4, WorkerState.IDLE, 4);
        List<LabWorker> live = List.of(unreachable, second, third, aside);

        assertThat(ClusterFormation.mustRejoin(second, live)).isFalse();
        assertThat(ClusterFormation.mustRejoin(third, live)).isFalse();
        assertThat(ClusterFormation.mustRejoin(aside, live)).isTrue();
        assertThat(ClusterFormation.mustRejoin(unreachable, live)).isTrue();
    }

    @Test
    void oldestIsTheReferenceIfNoWorkerIsSeen() {
        LabWorker one = worker(1, WorkerState.IDLE, 1);
        LabWorker two = worker(2, WorkerState.IDLE, 2);

        assertThat(ClusterFormation.mustRejoin(one, List.of(one, two))).isFalse();
        assertThat(ClusterFormation.mustRejoin(two, List.of(one, two))).isTrue();
    }

    @Test
    void workerThatSeesOnlyItselfIsUnseen() {
        LabWorker alone = worker(1, WorkerState.IDLE, 1);
        LabWorker two = worker(2, WorkerState.IDLE, 2, 3);
        LabWorker three = worker(3, WorkerState.IDLE, 3);

        assertThat(ClusterFormation.seen(List.of(alone, two, three))).containsExactly(three);
    }

    @Test
    void gapIsAPairWhoseFirstDoesNotSeeTheSecond() {
        LabWorker one = worker(1, WorkerState.IDLE, 1, 2);
        LabWorker two = worker(2, WorkerState.IDLE, 2, 1, 7);
        LabWorker blind = worker(3, WorkerState.IDLE, 3);

        assertThat(ClusterFormation.gaps(List.of(one, two))).isEmpty();
        assertThat(ClusterFormation.gaps(List.of(blind))).isEmpty();
        assertThat(ClusterFormation.gaps(List.of(one, two, blind)))
                .extracting(UnreachablePeer::toString)
                .containsExactly(
                        "worker 1 does not see worker 3",
                        "worker 2 does not see worker 3",
                        "worker 3 does not see worker 1",
                        "worker 3 does not see worker 2");
    }

    @Test
    void selectorRequiresEveryLabel() {
        LabWorker worker =
                new LabWorker(
                        id(1),
                        "one",
                        WorkerState.IDLE,
                        Cordon.OPEN,
                        new HostDescription("host", 1, 1, 1, "Linux", "oneDNN", 1),
                        Map.of("rack", "a", "gpu", "no"),
                        "address",
                        Set.of(),
                        Instant.EPOCH,
                        Instant.EPOCH);

        assertThat(worker.matches(Map.of())).isTrue();
        assertThat(worker.matches(Map.of("rack", "a"))).isTrue();
        assertThat(worker.matches(Map.of("rack", "b"))).isFalse();
        assertThat(worker.matches(Map.of("rack", "a", "floor", "1"))).isFalse();
    }
}
