package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Examples of all messages: each message, each variant of a sealed type and each constant of an
 * enum at least once. Their recordings are what the other side may send as long as this protocol
 * version is supported, so examples never change; new ones are added.
 */
final class Examples {

    private static final UUID SOME = UUID.fromString("00000000-0000-0000-0000-00000000000a");
    private static final WorkerId NORTH = WorkerId.of(new UUID(0, 1));
    private static final WorkerId SOUTH = WorkerId.of(new UUID(0, 2));
    private static final List<WorkerId> PEERS = List.of(NORTH, SOUTH);
    private static final List<String> ADDRESSES = List.of("alpha:5702", "beta:5702");
    private static final List<String> WORKERS = List.of("alpha", "beta");
    private static final List<String> FOLDERS = List.of("flowers", "my-data");
    private static final AssignmentId ASSIGNMENT = AssignmentId.of(SOME);
    private static final RunId RUN = RunId.of(SOME);
    private static final Credential CREDENTIAL = Credential.of("eqw_" + "abcdefg".repeat(6) + "h");
    private static final ProbeKey PROBE_KEY =
            ProbeKey.of("MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
    private static final Normalization UNIT = new Normalization.Unit();
    private static final HostDescription HOST =
            new HostDescription("host", 8, 2, 1L << 34, "Linux amd64", "oneDNN 3.11.0", 1.5);

    private static final HostDescription HOST_WITH_PROCESSOR =
            new HostDescription(
                    "host",
                    8,
                    2,
                    1L << 34,
                    "Linux amd64",
                    "oneDNN 3.11.0",
                    1.5,
                    "Intel(R) Xeon(R) Processor",
                    "AVX512_CORE");

    private static final Map<Class<?>, List<?>> VARIANTS =
            Map.of(AgentEvent.class, events(), Assignment.class, assignments());

    private static final Map<Class<?>, Map<String, ?>> MESSAGES =
            Map.of(
                    Registration.class,
                    Map.of(
                            "with a version",
                            new Registration(
                                    "alpha",
                                    HOST,
                                    "alpha:5701",
                                    Map.of("zone", "lab"),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0")),
                            "without a version",
                            new Registration("alpha", HOST, "alpha:5701", Map.of(), CREDENTIAL),
                            "with a data address",
                            new Registration(
                                    "alpha",
                                    HOST,
                                    "alpha:5701",
                                    Map.of(),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0"),
                                    "alpha:5702"),
                            "with a protocol version",
                            new Registration(
                                    "alpha",
                                    HOST,
                                    "alpha:5701",
                                    Map.of(),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0"),
                                    null,
                                    ProtocolVersion.of("0.2"),
                                    null),
                            "with data folders",
                            new Registration(
                                    "alpha",
                                    HOST,
                                    "alpha:5701",
                                    Map.of(),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0"),
                                    "alpha:5702",
                                    ProtocolVersion.of("0.2"),
                                    FOLDERS),
                            "with a probe key",
                            new Registration(
                                    "alpha",
                                    HOST,
                                    "alpha:5701",
                                    Map.of(),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0"),
                                    "alpha:5702",
                                    ProtocolVersion.of("0.2"),
                                    null,
                                    PROBE_KEY),
                            "with a processor",
                            new Registration(
                                    "alpha",
                                    HOST_WITH_PROCESSOR,
                                    "alpha:5701",
                                    Map.of(),
                                    CREDENTIAL,
                                    SoftwareVersion.of("0.1.0"),
                                    "alpha:5702",
                                    ProtocolVersion.of("0.2"),
                                    null)),
                    AgentEvent.class,
                    Map.of(
                            "epoch-finished of a replica that differs",
                            epochFinished(new ReplicaDistance(0, 0.25, 0.125)),
                            "replica-ready with weights of another rank",
                            new RunReport.ReplicaReady(
                                    1, 0.25, "c0ffee", new ReplicaDistance(0, 0.25, 0.125))),
                    Heartbeat.class,
                    Map.of(
                            "with a load",
                            new Heartbeat("alpha:5701", Set.of(SOUTH), true, 1.25),
                            "without a load",
                            new Heartbeat("alpha:5701", Set.of(), false),
                            "with probes",
                            new Heartbeat(
                                    "alpha:5701",
                                    Set.of(SOUTH),
                                    false,
                                    0.5,
                                    List.of(
                                            new ProbeResult(
                                                    SOUTH, "beta:5702", "connection timed out"),
                                            new ProbeResult(NORTH, "gamma:5702", null)),
                                    null),
                            "with data folders",
                            new Heartbeat("alpha:5701", Set.of(), false, 1.25, List.of(), FOLDERS),
                            "with used memory",
                            new Heartbeat(
                                    "alpha:5701",
                                    Set.of(),
                                    false,
                                    1.25,
                                    List.of(),
                                    null,
                                    1L << 33)),
                    NextCredential.class,
                    Map.of("of a worker", new NextCredential(CREDENTIAL)),
                    Report.class,
                    Map.of(
                            "of two events",
                            new Report(
                                    3,
                                    7,
                                    List.of(
                                            new RunReport.RoundReached(1, 2, 20),
                                            new Outcome.Finished()))),
                    Admission.class,
                    Map.of(
                            "of a second worker",
                            new Admission(NORTH, "lab", List.of("beta:5701")),
                            "with versions",
                            new Admission(
                                    NORTH,
                                    "lab",
                                    List.of(),
                                    SoftwareVersion.of("0.1.0"),
                                    ProtocolVersion.of("0.2"))),
                    HeartbeatReply.class,
                    Map.of(
                            "with wishes",
                            new HeartbeatReply(true, true, true, List.of("beta:5701")),
                            "without",
                            new HeartbeatReply(false, false, false, List.of()),
                            "with probes",
                            new HeartbeatReply(
                                    false,
                                    false,
                                    false,
                                    List.of("beta:5701"),
                                    List.of(new ProbeRequest(SOUTH, "beta:5702"))),
                            "with a probe of a key",
                            new HeartbeatReply(
                                    false,
                                    false,
                                    false,
                                    List.of("beta:5701"),
                                    List.of(new ProbeRequest(SOUTH, "beta:5702", PROBE_KEY)))),
                    Assignment.class,
                    Map.of(
                            "profiling with addresses",
                            profiling(ADDRESSES),
                            "link-profiling with addresses",
                            new Assignment.LinkProfiling(
                                    ASSIGNMENT, 3, SOME, 1, PEERS, "key", ADDRESSES),
                            "training with addresses",
                            training(ADDRESSES, null),
                            "training with workers",
                            training(ADDRESSES, WORKERS),
                            "training with models",
                            training(
                                    ADDRESSES,
                                    null,
                                    new ModelInstructions(
                                            new ModelKeeping(
                                                    ModelKeeping.Kept.BEST,
                                                    ModelKeeping.WeightSource.MEAN,
                                                    ModelKeeping.Criterion.ACCURACY,
                                                    new ModelScore(2, 0.75, 0.5)),
                                            new InitialModel(RUN, "0f".repeat(32)))),
                            "simulation with models",
                            new Assignment.Simulation(
                                    ASSIGNMENT,
                                    3,
                                    RUN,
                                    plan(TrainingPlan.EpochDivision.of(List.of(600, 400), 10)),
                                    null,
                                    new ModelInstructions(
                                            new ModelKeeping(
                                                    ModelKeeping.Kept.LAST,
                                                    ModelKeeping.WeightSource.BEST_REPLICA,
                                                    ModelKeeping.Criterion.LOSS,
                                                    null),
                                            null))),
                    ReportReply.class,
                    Map.of("with wishes", new ReportReply(true, true)),
                    RecordedOrder.class,
                    Map.of(
                            "with more to come",
                            new RecordedOrder(
                                    List.of(
                                            new RunReport.Decided(
                                                    1, 2, RunReport.Strand.MAIN, List.of(3, 0))),
                                    4L)));

    private Examples() {}

    /**
     * Returns the examples of a message, a sealed interface or an enum by stable names: of a
     * variant its JSON name, of a constant its Java name.
     */
    static Map<String, Object> of(Class<?> type) {
        Map<String, Object> examples = new LinkedHashMap<>();
        if (type.isEnum()) {
            Stream.of(type.getEnumConstants())
                    .forEach(constant -> examples.put(((Enum<?>) constant).name(), constant));
        }
        VARIANTS.getOrDefault(type, PlanExamples.of(type))
                .forEach(variant -> examples.put(kind(type, variant), variant));
        examples.putAll(MESSAGES.getOrDefault(type, Map.of()));
        return examples;
    }

    private static String kind(Class<?> type, Object variant) {
        return Arrays.stream(type.getAnnotation(JsonSubTypes.class).value())
                .filter(it -> it.value().equals(variant.getClass()))
                .map(JsonSubTypes.Type::name)
                .findFirst()
                .orElseThrow();
    }

    private static List<AgentEvent> events() {
        return List.of(
                new ProfileReport.PointMeasured(
                        new Kernel.Gemm(), new MeasuredPoint(64, 0.02, 5, 0.001, 0.002, true)),
                new LinkReport.LinkMeasured(new MeasuredLink(0, 1, 0.001, 1e-9, 0.1)),
                new LinkReport.AllReduceMeasured(
                        new MeasuredAllReduce(Topology.Algorithm.TREE, 2, 1000, 0.001)),
                new RunReport.ReplicaReady(1, 0.25, "c0ffee"),
                new RunReport.RoundReached(1, 2, 20),
                new RunReport.Observed(
                        1,
                        RunReport.Observed.TRAINING_LOSS,
                        2,
                        List.of(2L, 4L),
                        List.of(0.5, 1.0),
                        List.of(2.0, 1.5),
                        3),
                epochFinished(null),
                new RunReport.PhasesElapsed(1, 45, new RunPhases(1, 2, 3, 4, 5, 6, 7, 8, 9)),
                new RunReport.Traced(
                        1,
                        2,
                        RunReport.Strand.BACKGROUND,
                        List.of(RunReport.Phase.COMPUTE),
                        List.of(7L),
                        List.of(3L),
                        4),
                new RunReport.Decided(1, 2, RunReport.Strand.MAIN, List.of(3, 0, 1)),
                new RunReport.Noted(1, "waits for its peers"),
                new Outcome.Preempted(1, 2),
                new Outcome.Interrupted(
                        1,
                        new Outcome.Interrupted.RetainedPoint(new Position(2, 20, 640), "c0ffee"),
                        List.of(0)),
                new Outcome.Finished(),
                new Outcome.Failed(FailureCause.WORKER, "peer-lost", "rank 0 is gone"));
    }

    private static EpochFinished epochFinished(@Nullable ReplicaDistance difference) {
        return new EpochFinished(
                1,
                2,
                500,
                new EpochFinished.Phases(1, 2, 3, 4, 5, 6),
                15,
                new EpochFinished.Traffic(100, 200, 300, 4),
                new EpochFinished.WeightUpdates(20, 0.05, List.of(18L, 2L), 1),
                0.75,
                new EpochFinished.TestScore(0.9, 0.3),
                new EpochFinished.TestScore(0.8, 0.4),
                new EpochFinished.ConsensusDistance(0.5, 0.01),
                "c0ffee",
                difference);
    }

    private static List<Assignment> assignments() {
        return List.of(
                profiling(null),
                new Assignment.LinkProfiling(ASSIGNMENT, 3, SOME, 1, PEERS, "key"),
                training(null, null),
                new Assignment.Simulation(
                        ASSIGNMENT,
                        3,
                        RUN,
                        plan(TrainingPlan.EpochDivision.of(List.of(600, 400), 10)),
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    }

    private static Assignment profiling(@Nullable List<String> addresses) {
        return new Assignment.Profiling(
                ASSIGNMENT,
                3,
                SOME,
                1,
                PEERS,
                "key",
                perceptron(),
                List.of(
                        new Assignment.Measurement(
                                new Kernel.Gemm(), new Points.Fixed(List.of(8, 16)))),
                Precision.DEFAULT,
                1.5,
                addresses);
    }

    private static Assignment training(
            @Nullable List<String> addresses, @Nullable List<String> workers) {
        return training(addresses, workers, null);
    }

    private static Assignment training(
            @Nullable List<String> addresses,
            @Nullable List<String> workers,
            @Nullable ModelInstructions model) {
        return new Assignment.Training(
                ASSIGNMENT,
                3,
                RUN,
                1,
                PEERS,
                "key",
                plan(
                        new TrainingPlan.EpochDivision(
                                List.of(1000, 0),
                                10,
                                List.of(1, 2),
                                List.of(1.0, 2.5),
                                2,
                                new TrainingPlan.Rebalancing(0.05, List.of(100, 90)),
                                new Grouping(List.of(List.of(0, 1)), List.of(5, 3)))),
                new Checkpointing(2, 2, 1),
                new Continuation(new Position(3, 4, 128), List.of(0, 1)),
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                addresses,
                workers,
                model);
    }

    private static TrainingPlan plan(TrainingPlan.EpochDivision division) {
        return new TrainingPlan(
                new PublishedSpec.Mnist(UNIT, 1000),
                perceptron(),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(0.05),
                4,
                new Observation(2, Observation.Replicas.LAST, true, true),
                7,
                division,
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None()),
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(new LinkLimit(List.of(0, 1), 12.5, 1)),
                List.of(new MeasuredLink(0, 1, 0.001, 1e-9, 0.1)));
    }

    private static Architecture perceptron() {
        return new Architecture(
                "perceptron",
                new Shape.Image(28, 28, 1),
                List.of(
                        new Layer.Flatten(),
                        new Layer.Dense(8),
                        new Layer.Sigmoid(),
                        new Layer.Dense(10)));
    }
}
