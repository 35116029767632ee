package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONGEST_COOLING = Duration.ofMinutes(2);

    private final WorkerId id = WorkerId.of(new UUID(0, 1));
    private final Worker worker =
            new Worker(
                    id,
                    new UUID(0, 2),
                    TestingLab.registration("one"),
                    ClusterView.of(Set.of()),
                    NOW);

    private boolean beat(boolean draining) {
        worker.see(ClusterView.of(Set.of(id)));
        return worker.hear(new Heartbeat("elsewhere:1", Set.of(id), draining), NOW.plusSeconds(1));
    }

    @Test
    void firstHeartbeatMakesWorkerIdle() {
        beat(false);

        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.IDLE);
        assertThat(worker.snapshot().clusterAddress()).isEqualTo("elsewhere:1");
        assertThat(worker.snapshot().sees()).containsExactly(id);
        assertThat(worker.snapshot().lastSeenAt()).isEqualTo(NOW.plusSeconds(1));
    }

    /** A worker that was lost joins the cluster anew; one that stays does not. */
    @Test
    void timeToJoinTheClusterBeginsWithEachArrival() {
        Duration forming = Duration.ofMinutes(2);
        worker.awaitCluster(NOW.plus(forming));
        beat(false);
        worker.awaitCluster(NOW.plusSeconds(1000));
        LabWorker joined = worker.snapshot();

        assertThat(joined.formedAt(NOW, forming).formingUntil()).isEqualTo(NOW.plus(forming));
        assertThat(joined.formedAt(NOW.plus(forming), forming).formingUntil()).isNull();

        worker.lose(NOW);
        worker.awaitCluster(NOW.plusSeconds(1000));
        assertThat(worker.snapshot().formingUntil()).isEqualTo(NOW.plusSeconds(1000));
    }

    @Test
    void heartbeatReportsNewAddressOrState() {
        assertThat(beat(false)).isTrue();
        assertThat(beat(false)).isFalse();
        assertThat(beat(true)).isTrue();
    }

    @Test
    void heartbeatWithoutFoldersKeepsThoseBefore() {
        assertThat(worker.snapshot().folders()).isNull();
        assertThat(worker.snapshot().mayHave("flowers")).isTrue();

        worker.hear(new Heartbeat("a:1", Set.of(), false, null, List.of(), List.of("birds")), NOW);
        beat(false);

        assertThat(worker.snapshot().folders()).containsExactly("birds");
        assertThat(worker.snapshot().mayHave("flowers")).isFalse();
        assertThat(worker.snapshot().mayHave("birds")).isTrue();
        assertThat(worker.snapshot().mayHave(null)).isTrue();

        worker.hear(new Heartbeat("a:1", Set.of(), false, null, List.of(), List.of()), NOW);

        assertThat(worker.snapshot().folders()).isEmpty();
    }

    @Test
    void heartbeatKeepsBusyState() {
        beat(false);
        worker.occupy(NOW);
        beat(false);

        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.BUSY);
        worker.release(NOW);
        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.IDLE);
    }

    @Test
    void heartbeatMakesLostWorkerIdle() {
        beat(false);
        worker.occupy(NOW);
        worker.lose(NOW);
        worker.release(NOW);
        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.LOST);

        beat(false);
        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.IDLE);
    }

    @Test
    void cooldownDoublesWithEachFailureInARow() {
        beat(false);

        assertThat(cooling(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(cooling(1)).isEqualTo(Duration.ofSeconds(20));
        assertThat(cooling(4)).as("at most").isEqualTo(Duration.ofMinutes(2));
        assertThat(worker.isFree(NOW, LONGEST_COOLING)).isFalse();
        assertThat(worker.isFree(NOW.plusSeconds(120), LONGEST_COOLING)).isTrue();
        assertThat(worker.snapshot().at(NOW, LONGEST_COOLING).coolingUntil())
                .isEqualTo(NOW.plusSeconds(120));
        assertThat(worker.snapshot().at(NOW.plusSeconds(120), LONGEST_COOLING).coolingUntil())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void clockJumpEndsTheCooldown(int hours) {
        beat(false);
        cooling(1);
        Instant jumped = NOW.plus(Duration.ofHours(hours));

        assertThat(worker.isFree(jumped, LONGEST_COOLING)).isTrue();
        assertThat(worker.snapshot().at(jumped, LONGEST_COOLING).coolingUntil()).isNull();
    }

    @Test
    void successResetsCooldown() {
        beat(false);
        cooling(3);

        worker.succeed();

        assertThat(worker.isFree(NOW, LONGEST_COOLING)).isTrue();
        assertThat(cooling(1)).isEqualTo(Duration.ofSeconds(10));
    }

    /** Cooldown after this number of further failures. */
    private Duration cooling(int failures) {
        for (int i = 0; i < failures; i++) {
            worker.coolDown(NOW, Duration.ofSeconds(10), LONGEST_COOLING);
        }
        return Duration.between(NOW, worker.snapshot().coolingUntil());
    }

    @Test
    void cordonedWorkerStaysAndTakesNoWork() {
        beat(false);

        assertThat(worker.isFree(NOW, LONGEST_COOLING)).isTrue();
        assertThat(worker.cordon(Cordon.CORDONED, NOW)).isTrue();
        assertThat(worker.cordon(Cordon.CORDONED, NOW)).isFalse();
        assertThat(worker.isFree(NOW, LONGEST_COOLING)).isFalse();
        assertThat(worker.isDismissed()).isFalse();
        assertThat(worker.snapshot().takesWork()).isFalse();
        assertThat(worker.snapshot().wouldTakeWork()).isTrue();
        assertThat(worker.snapshot().standing()).isEqualTo(Cordon.CORDONED);
    }

    @Test
    void drainedIdleWorkerIsDismissed() {
        beat(false);
        worker.occupy(NOW);
        worker.cordon(Cordon.DRAINED, NOW);

        assertThat(worker.isDismissed()).isFalse();
        worker.release(NOW);
        assertThat(worker.isDismissed()).isTrue();
        worker.cordon(Cordon.OPEN, NOW);
        assertThat(worker.isDismissed()).isFalse();
    }

    @Test
    void workerReturnsFromEveryStateAndKeepsItsCordon() {
        beat(false);
        worker.occupy(NOW);
        worker.cordon(Cordon.CORDONED, NOW);
        assertThat(comeBack(8)).isEmpty();
        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.JOINING);
        assertThat(worker.snapshot().cordon()).isEqualTo(Cordon.CORDONED);
        assertThat(worker.snapshot().sees()).isEmpty();

        worker.lose(NOW);
        assertThat(comeBack(8)).as("the same host").isEmpty();
        worker.leave(NOW);
        assertThat(comeBack(16)).containsExactly("processors 8, now 16");

        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.JOINING);
        assertThat(worker.snapshot().lastSeenAt()).isEqualTo(NOW.plusSeconds(2));
        assertThat(worker.snapshot().joinedAt()).isEqualTo(NOW);
    }

    private List<String> comeBack(int processors) {
        Registration first = TestingLab.registration("one");
        HostDescription host = first.host();
        var now =
                new HostDescription(
                        host.name(),
                        processors,
                        host.threads(),
                        host.memoryBytes(),
                        host.system(),
                        host.backend(),
                        host.slowDown());
        return worker.comeBack(
                        new Registration("one", now, "a:1", Map.of(), first.credential()),
                        ClusterView.of(Set.of()),
                        NOW.plusSeconds(2))
                .host();
    }

    @Test
    void returnEndsADrain() {
        worker.cordon(Cordon.DRAINED, NOW);

        comeBack(8);

        assertThat(worker.snapshot().cordon()).isEqualTo(Cordon.OPEN);
    }

    @Test
    void onlyALostOrDepartedWorkerIsRemoved() {
        assertThatThrownBy(() -> worker.remove(NOW))
                .hasMessageContaining("is JOINING: only a worker that is LOST or LEFT");
        worker.lose(NOW);

        worker.remove(NOW);

        assertThat(worker.isRemoved()).isTrue();
        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.LEFT);
    }

    @Test
    void departedWorkerCannotBeCordoned() {
        worker.leave(NOW);

        assertThatThrownBy(() -> worker.cordon(Cordon.CORDONED, NOW))
                .hasMessage("Worker %s is LEFT and cannot become CORDONED", id.value());
    }

    @Test
    void drainingWorkerTakesNoWork() {
        beat(false);
        worker.occupy(NOW);
        beat(true);
        beat(true);
        worker.release(NOW);
        beat(false);

        assertThat(worker.snapshot().state()).isEqualTo(WorkerState.DRAINING);
        assertThatThrownBy(() -> worker.occupy(NOW))
                .hasMessage("Worker %s is DRAINING and cannot become BUSY", id.value());
    }
}
