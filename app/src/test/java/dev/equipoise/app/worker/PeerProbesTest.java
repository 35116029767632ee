package dev.equipoise.app.worker;

import static dev.equipoise.app.worker.TestingWorkers.address;
import static dev.equipoise.app.worker.TestingWorkers.id;
import static dev.equipoise.app.worker.TestingWorkers.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerProbesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ProbeResult MISSED =
            new ProbeResult(id(1), address(1), "connection timed out");
    private static final ProbeResult REACHED = new ProbeResult(id(1), address(1), null);

    /** The probes of worker 1 alone. */
    private final PeerProbes one = PeerProbes.NONE.towards(List.of(worker(1)), NOW);

    private static List<LabWorker> workers(int count) {
        return IntStream.range(0, count).mapToObj(TestingWorkers::worker).toList();
    }

    @Test
    void allProbeAllInASmallLab() {
        assertThat(PeerProbes.neighbors(worker(3), workers(9)))
                .extracting(LabWorker::id)
                .containsExactly(id(0), id(1), id(2), id(4), id(5), id(6), id(7), id(8));
    }

    @Test
    void neighborsAreFewAndMutualInALargeLab() {
        List<LabWorker> live = workers(50);

        assertThat(live)
                .allSatisfy(worker -> {
                    List<LabWorker> neighbors = PeerProbes.neighbors(worker, live);
                    assertThat(neighbors).hasSize(Heartbeat.MAX_PROBES).doesNotContain(worker);
                    assertThat(neighbors)
                            .allSatisfy(it ->
                                    assertThat(PeerProbes.neighbors(it, live)).contains(worker));
                });
    }

    @Test
    void newNeighborIsProbedAtOnceAndAskedAgainWithoutAnAnswer() {
        assertThat(one.due(NOW)).containsExactly(new ProbeRequest(id(1), address(1)));

        PeerProbes asked = one.asked(NOW);

        assertThat(asked.due(NOW.plusSeconds(29))).isEmpty();
        assertThat(asked.due(NOW.plusSeconds(30))).hasSize(1);
        assertThat(asked.peers().getFirst().at()).as("no result yet").isNull();
    }

    @Test
    void pauseDoublesWithEachFailureUpToALimit() {
        PeerProbes probes = one;
        for (int seconds : List.of(10, 20, 40, 60, 60)) {
            probes = probes.asked(NOW).with(List.of(MISSED), NOW);

            assertThat(Duration.between(NOW, probes.peers().getFirst().next()))
                    .isEqualTo(Duration.ofSeconds(seconds));
        }
        assertThat(probes.peers().getFirst().failures()).isEqualTo(5);
    }

    @Test
    void successEndsTheFailureAndIsRepeatedRarely() {
        PeerProbe reached =
                one.with(List.of(MISSED), NOW).with(List.of(REACHED), NOW).peers().getFirst();

        assertThat(reached.failure()).isNull();
        assertThat(reached.failures()).isZero();
        assertThat(Duration.between(NOW, reached.next())).isEqualTo(Duration.ofMinutes(10));
    }

    /** An agent cannot report what it was not asked for. */
    @Test
    void resultsOfOtherWorkersAndAddressesAreIgnored() {
        assertThat(
                        one.with(
                                List.of(
                                        new ProbeResult(id(2), address(2), "refused"),
                                        new ProbeResult(id(1), "elsewhere:1", "refused")),
                                NOW))
                .isEqualTo(one);
    }

    @Test
    void newAddressReplacesTheFailureAndIsProbed() {
        PeerProbes failed = one.asked(NOW).with(List.of(MISSED), NOW);
        Instant later = NOW.plusSeconds(60);

        PeerProbes moved = failed.towards(List.of(moved(1)), later);

        assertThat(moved.due(later)).containsExactly(new ProbeRequest(id(1), "elsewhere:5702"));
        assertThat(moved.peers().getFirst().failure()).isNull();
    }

    /** Else it could make its peers try one port after the other. */
    @Test
    void agentThatChangesItsAddressAllTheTimeIsProbedWithPauses() {
        PeerProbes answered = one.asked(NOW).with(List.of(REACHED), NOW);

        assertThat(answered.towards(List.of(moved(1)), NOW).due(NOW)).isEmpty();
        assertThat(answered.towards(List.of(moved(1)), NOW).due(NOW.plusSeconds(10))).hasSize(1);
        assertThat(one.asked(NOW).towards(List.of(moved(1)), NOW).due(NOW.plusSeconds(29)))
                .as("the first answer is still awaited")
                .isEmpty();
    }

    @Test
    void departedWorkerIsForgotten() {
        assertThat(one.towards(List.of(), NOW).peers()).isEmpty();

        PeerProbes departed = one.asked(NOW).with(List.of(REACHED), NOW).towards(List.of(), NOW);

        assertThat(departed.due(NOW.plusSeconds(9))).isEmpty();
        assertThat(departed.towards(List.of(), NOW.plusSeconds(10)).peers()).isEmpty();
    }

    /** Else it could evade the pauses. */
    @Test
    void workerThatLeavesAndReturnsWithAnotherAddressIsProbedAfterThePause() {
        PeerProbes answered = one.asked(NOW).with(List.of(REACHED), NOW);

        PeerProbes returned = answered.towards(List.of(), NOW).towards(List.of(moved(1)), NOW);

        assertThat(returned.due(NOW)).isEmpty();
        assertThat(returned.due(NOW.plusSeconds(10)))
                .containsExactly(new ProbeRequest(id(1), "elsewhere:5702"));
    }

    private static LabWorker moved(int number) {
        LabWorker before = worker(number);
        return new LabWorker(
                before.id(),
                before.name(),
                before.state(),
                before.cordon(),
                before.host(),
                before.agentVersion(),
                before.labels(),
                before.clusterAddress(),
                before.sees(),
                before.load(),
                before.coolingUntil(),
                before.joinedAt(),
                before.lastSeenAt(),
                before.protocolVersion(),
                "elsewhere:5702",
                before.formingUntil(),
                before.probes(),
                before.folders());
    }
}
