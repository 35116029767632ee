package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Aggregate;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains with buckets of one layer each, on one thread for each rank. */
class OverlapTest {

    private static final int EPOCHS = 2;

    /** The second layer has 260 bytes, the first 3,120. */
    private static final double SIZE = 0.0002;

    private static final Synchronization.Bsp OVERLAPPED = new Synchronization.Bsp(true, SIZE, SIZE);
    private static final Synchronization.Bsp IN_TURN = new Synchronization.Bsp(false, SIZE, SIZE);

    /** The last rank has no samples in some rounds. */
    private static final List<Integer> SHARES = List.of(75, 20, 4);

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);

    static Stream<Topology> topologies() {
        return Stream.concat(
                Stream.of(Algorithm.values())
                        .filter(it -> it != Algorithm.AUTO) // chooses by measured times
                        .map(Topology.AllReduce::by),
                Stream.of(
                        new Topology.ParameterServer(1, false, Aggregate.MEAN),
                        new Topology.ParameterServer(1, false, Aggregate.SUM),
                        new Topology.ParameterServer(2, false, Aggregate.MEAN),
                        new Topology.ParameterServer(2, true, Aggregate.MEAN)));
    }

    private List<Outcome> train(Synchronization synchronization, Topology topology)
            throws InterruptedException {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(topology.servers(), 0));
        shares.addAll(SHARES);
        var method = new Method(synchronization, topology, new Compression.None());
        return replicas.train(TestingTask.plan(method, MOMENTUM, EPOCHS, shares));
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void overlapLeavesTheBitsOfTheSameBucketsInTurn(Topology topology) throws Exception {
        List<Outcome> overlapped = train(OVERLAPPED, topology);
        List<Outcome> inTurn = train(IN_TURN, topology);

        for (int rank = topology.servers(); rank < overlapped.size(); rank++) {
            assertThat(overlapped.get(rank).parameters())
                    .isEqualTo(inTurn.get(rank).parameters())
                    .isEqualTo(overlapped.getLast().parameters());
        }
        assertThat(bytes(overlapped)).isEqualTo(bytes(inTurn));
    }

    private static List<Long> bytes(List<Outcome> outcomes) {
        return outcomes.stream()
                .flatMap(it -> it.epochs().stream())
                .map(it -> it.traffic().gradientBytes())
                .toList();
    }

    /** The sums of two ranks do not depend on how a vector is cut. */
    @Test
    void bucketsLeaveTheBitsOfTheWholeGradientOfTwoRanks() throws Exception {
        Topology ring = Topology.AllReduce.by(Algorithm.RING);
        List<List<Float>> weights = new ArrayList<>();
        for (Synchronization synchronization :
                List.of(new Synchronization.Bsp(), IN_TURN, OVERLAPPED)) {
            var method = new Method(synchronization, ring, new Compression.None());
            weights.add(
                    replicas.train(TestingTask.plan(method, MOMENTUM, EPOCHS, List.of(60, 39)))
                            .getFirst()
                            .parameters());
        }

        assertThat(weights.get(1)).isEqualTo(weights.get(0));
        assertThat(weights.get(2)).isEqualTo(weights.get(0));
    }

    @Test
    void phasesOfOverlappedRoundsAreWithinTheEpoch() throws Exception {
        for (Outcome outcome : train(OVERLAPPED, Topology.AllReduce.by(Algorithm.RING))) {
            for (EpochFinished epoch : outcome.epochs()) {
                var phases = epoch.phases();
                double shown =
                        phases.computeSeconds()
                                + phases.encodeSeconds()
                                + phases.transferSeconds()
                                + phases.waitSeconds()
                                + phases.applySeconds();
                assertThat(shown).isPositive().isLessThanOrEqualTo(epoch.wallSeconds() + 1e-6);
                assertThat(phases.hiddenSeconds()).isBetween(0.0, phases.computeSeconds());
            }
        }
    }
}
