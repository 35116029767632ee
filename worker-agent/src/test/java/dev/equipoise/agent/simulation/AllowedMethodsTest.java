package dev.equipoise.agent.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.testing.Night;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Trains each method that the service allows; MethodsPageTest lists them. All of them train on a
 * virtual clock; in real time, whose threads and channels do not depend on every detail of a
 * method, the gate trains a sample and the nightly build all.
 */
class AllowedMethodsTest {

    private static final Path ALLOWED = Path.of("../protocol/src/test/allowed-methods.jsonl");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int CLASSES = 3;
    private static final int ROUNDS = 4;
    private static final List<Integer> SHARES = List.of(16, 24, 16, 8);
    private static final int SAMPLES = SHARES.stream().mapToInt(it -> it).sum();
    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(5, 5, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(6),
                            new Layer.Relu(),
                            new Layer.Dense(5),
                            new Layer.Relu(),
                            new Layer.Dense(CLASSES)));
    private static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, SAMPLES, 30, 1);
    private static final OptimizerSpec OPTIMIZER =
            new OptimizerSpec.Sgd(0.05, 0.5, false, new Schedule.Constant(0), new Clipping.None());

    private static final double ROUNDING_SECONDS = 1e-6;

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);

    static Stream<String> methods() throws IOException {
        return Files.readAllLines(ALLOWED).stream();
    }

    /**
     * Returns each kind of synchronization with each topology, and each topology with each
     * compression.
     */
    static Stream<String> methodsOfEachKind() throws IOException {
        Set<List<Object>> kinds = new HashSet<>();
        return methods()
                .filter(json -> {
                    Method method = method(json);
                    Object topology = topology(method);
                    boolean synchronization =
                            kinds.add(List.of(method.synchronization().getClass(), topology));
                    boolean compression =
                            kinds.add(
                                    List.of(
                                            method.topology().getClass(),
                                            method.compression().getClass()));
                    return synchronization || compression;
                });
    }

    /**
     * Returns all methods except the hierarchical all-reduce, which a virtual clock does not
     * support.
     */
    static Stream<String> methodsOnAVirtualClock() throws IOException {
        return methods().filter(json -> topology(method(json)) != Topology.Algorithm.HIERARCHICAL);
    }

    private static Object topology(Method method) {
        return method.topology() instanceof Topology.AllReduce(var algorithm, var _)
                ? algorithm
                : method.topology().getClass();
    }

    private static Method method(String json) {
        return JSON.readValue(json, Method.class);
    }

    @Test
    void methodsOfEveryKindExist() throws IOException {
        assertThat(methods().map(AllowedMethodsTest::method).toList())
                .hasSizeGreaterThan(200)
                .<Class<?>>extracting(it -> it.synchronization().getClass())
                .contains(Synchronization.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @MethodSource("methodsOfEachKind")
    void oneMethodOfEachKindTrains(String json) throws Exception {
        assertTrains(json);
    }

    @ParameterizedTest
    @MethodSource("methods")
    @Night("557 methods between threads that wait for one another; the gate trains a sample")
    void everyAllowedMethodTrains(String json) throws Exception {
        assertTrains(json);
    }

    /** Phases have no lower bound, since the host may pause a rank between two of them. */
    private void assertTrains(String json) throws InterruptedException {
        List<Outcome> outcomes = replicas.train(plan(method(json)));

        assertSound(
                method(json),
                outcomes.stream().flatMap(it -> it.events().stream()).toList(),
                Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("methodsOnAVirtualClock")
    void everyAllowedMethodTrainsOnAVirtualClock(String json) throws Exception {
        Method method = method(json);
        List<RunReport> events = new ArrayList<>();

        TestingSimulation.run(virtual(plan(method)), events::add);

        assertSound(method, events, ROUNDING_SECONDS);
    }

    /**
     * @param unnamed seconds of an epoch that may belong to no phase
     */
    private static void assertSound(Method method, List<RunReport> events, double unnamed) {
        List<EpochFinished> epochs =
                events.stream()
                        .filter(EpochFinished.class::isInstance)
                        .map(EpochFinished.class::cast)
                        .toList();
        EpochFinished first = epochs.getFirst();
        assertThat(requireNonNull(first.test()).loss()).isFinite();
        assertThat(epochs).extracting(EpochFinished::test).containsOnly(first.test());
        assertThat(epochs.stream().mapToInt(EpochFinished::samples).sum()).isEqualTo(SAMPLES);
        for (EpochFinished epoch : epochs) {
            var phases = epoch.phases();
            assertThat(
                            phases.computeSeconds()
                                    + phases.encodeSeconds()
                                    + phases.transferSeconds()
                                    + phases.waitSeconds()
                                    + phases.applySeconds())
                    .isBetween(
                            epoch.wallSeconds() - unnamed, epoch.wallSeconds() + ROUNDING_SECONDS);
            if (epoch.rank() >= method.topology().servers()) {
                assertThat(epoch.updates().steps()).isPositive();
            }
        }
    }

    private static TrainingPlan plan(Method method) {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(-servers, SHARES.size())
                        .mapToObj(place -> place < 0 ? 0 : SHARES.get(place))
                        .toList();
        return TestingPlan.with(
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(5, 5, 1), CLASSES, SAMPLES, 1, SAMPLES),
                        NETWORK,
                        OPTIMIZER,
                        EpochDivision.of(shares, ROUNDS)),
                method);
    }

    private static TrainingPlan virtual(TrainingPlan plan) {
        return TestingPlan.on(
                plan,
                new Execution.Virtual(
                        List.of(Speed.of(1000), Speed.of(300)), 0.2, new Execution.Link(50, 100)));
    }
}
