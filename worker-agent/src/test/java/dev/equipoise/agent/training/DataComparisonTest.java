package dev.equipoise.agent.training;

import static dev.equipoise.testing.Patience.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.dataset.DatasetDigest;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.OwnSpec.Idx;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks compare what they have read of the user's own data before they train. */
class DataComparisonTest {

    private static final int RANKS = 3;
    private static final List<String> WORKERS = List.of("north", "south", "east");
    private static final String SAMPLES = "1,2,0\n3,4,1\n5,6,0\n7,8,1\n";
    private static final String TEST = "1,2,0\n3,4,1\n5,6,0\n";
    private static final Csv DATA = new Csv("mine", 2, 2, 4, new Normalization.Unit(), 4);
    private static final Architecture PERCEPTRON =
            Architecture.of(
                    "perceptron",
                    DATA.input(),
                    List.of(new Layer.Dense(RANKS), new Layer.Sigmoid(), new Layer.Dense(2)));

    @TempDir private Path places;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Channel> channels = MemoryChannel.join(RANKS);
    private final Queue<RunReport> reports = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() throws InterruptedException {
        channels.forEach(Channel::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    static Stream<Arguments> plans() {
        var gossip =
                new Topology.Gossip(
                        new Topology.Partners.Fixed(1),
                        Topology.Payload.WEIGHTS,
                        Topology.Mixing.UNIFORM,
                        0);
        return Stream.of(
                Arguments.of("bsp", plan(TestingPlan.BSP, List.of(2, 1, 1))),
                Arguments.of(
                        "local-sgd over gossip",
                        plan(TestingMethods.local(1, gossip, none()), List.of(2, 1, 1))),
                Arguments.of(
                        "async at a server",
                        plan(async(TestingMethods.servers(1)), List.of(0, 2, 2))),
                Arguments.of(
                        "bsp at two servers",
                        plan(
                                TestingMethods.bsp(TestingMethods.servers(2), none()),
                                List.of(0, 0, 4))),
                Arguments.of(
                        "hybrid",
                        TestingPlan.in(
                                plan(TestingPlan.BSP, List.of(4, 0, 0)),
                                new Grouping(List.of(List.of(0, 1, 2)), List.of(1, 1, 1)))));
    }

    private static Compression none() {
        return new Compression.None();
    }

    private static Method async(Topology servers) {
        return new Method(
                new Synchronization.Async(2, Weighting.WEIGHTED, new StalenessCorrection.None()),
                servers,
                none());
    }

    private static TrainingPlan plan(Method method, List<Integer> shares) {
        return TestingPlan.with(
                TestingPlan.of(
                        DATA, PERCEPTRON, new OptimizerSpec.Sgd(0.1), EpochDivision.of(shares, 1)),
                method);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void differentDataAreTheFaultOfTheUserOnAllRanks(String name, TrainingPlan plan)
            throws Exception {
        write(0, SAMPLES, TEST);
        write(1, SAMPLES, TEST);
        write(2, SAMPLES.replace('8', '9'), TEST);

        List<Future<Outcome>> ranks = start(plan, WORKERS);

        for (Future<Outcome> rank : ranks) {
            Outcome.Failed failed = failure(rank);
            assertThat(failed.cause()).as(name).isEqualTo(FailureCause.USER);
            assertThat(failed.code()).isEqualTo("dataset-differs");
            assertThat(failed.message())
                    .startsWith("the ranks have read different data; copy the same files to all")
                    .contains("training inputs: mine/train.csv (24 bytes) with digest ")
                    .contains("on rank 0 (north), rank 1 (south), mine/train.csv (24 bytes)")
                    .endsWith("on rank 2 (east)")
                    .doesNotContain("test inputs")
                    .doesNotContain("labels");
        }
        assertNothingTrained();
    }

    /** No rank has begun a round, not even a warm-up; its times by run phase are all it reports. */
    private void assertNothingTrained() {
        assertThat(reports)
                .hasSizeGreaterThanOrEqualTo(RANKS)
                .allSatisfy(report -> {
                    assertThat(report).isInstanceOf(PhasesElapsed.class);
                    RunPhases phases = ((PhasesElapsed) report).phases();
                    assertThat(phases.warmUpSeconds()).isZero();
                    assertThat(phases.trainingSeconds()).isZero();
                });
    }

    @Test
    void differentTestSetsAreNamed() throws Exception {
        write(0, SAMPLES, TEST);
        write(1, SAMPLES, "1,2,1\n3,4,1\n5,6,0\n");
        write(2, SAMPLES, TEST + "7,8,1\n");

        for (Future<Outcome> rank : start(plan(TestingPlan.BSP, List.of(2, 1, 1)), WORKERS)) {
            assertThat(failure(rank).message())
                    .contains("test inputs: mine/test.csv (18 bytes)")
                    .contains("test labels: mine/test.csv (18 bytes)")
                    .contains("mine/test.csv (24 bytes)")
                    .doesNotContain("training");
        }
    }

    @Test
    void differentImagesAndLabelsAreNamed() throws Exception {
        writeImages(0, 50, 1);
        writeImages(1, 50, 0);
        writeImages(2, 51, 1);

        for (Future<Outcome> rank : start(images(), WORKERS)) {
            assertThat(failure(rank).message())
                    .contains("training inputs: mine/train-images-idx3-ubyte (32 bytes)")
                    .contains("on rank 0 (north), rank 1 (south)")
                    .contains("test labels: mine/t10k-labels-idx1-ubyte (11 bytes)")
                    .contains("on rank 0 (north), rank 2 (east)")
                    .doesNotContain("training labels", "test inputs");
        }
        assertNothingTrained();
    }

    @Test
    void equalImagesAreTrained() throws Exception {
        for (int rank = 0; rank < RANKS; rank++) {
            writeImages(rank, 50, 1);
        }

        for (Future<Outcome> rank : start(images(), WORKERS)) {
            assertThat(rank).succeedsWithin(PATIENCE).isEqualTo(new Outcome.Finished());
        }
    }

    private static TrainingPlan images() {
        var data = new Idx("mine", 2, 2, 2, 4, new Normalization.Unit(), 4);
        Architecture network =
                Architecture.of(
                        "perceptron",
                        data.input(),
                        List.of(new Layer.Flatten(), new Layer.Dense(data.classes())));
        return TestingPlan.with(
                TestingPlan.of(
                        data,
                        network,
                        new OptimizerSpec.Sgd(0.1),
                        EpochDivision.of(List.of(2, 1, 1), 1)),
                TestingPlan.BSP);
    }

    /** Writes four training and three test images of 2 x 2 pixels. */
    private void writeImages(int rank, int lastPixel, int lastTestLabel) throws IOException {
        Path folder = Files.createDirectories(place(rank).resolve("mine"));
        byte[] pixels = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32, 3, 13, 23, (byte) lastPixel};
        Files.write(folder.resolve("train-images-idx3-ubyte"), idx(pixels, 4, 2, 2));
        Files.write(folder.resolve("train-labels-idx1-ubyte"), idx(new byte[] {0, 1, 0, 1}, 4));
        Files.write(folder.resolve("t10k-images-idx3-ubyte"), idx(new byte[12], 3, 2, 2));
        byte[] labels = {0, 1, (byte) lastTestLabel};
        Files.write(folder.resolve("t10k-labels-idx1-ubyte"), idx(labels, 3));
    }

    private static byte[] idx(byte[] values, int... sides) {
        ByteBuffer file = ByteBuffer.allocate((1 + sides.length) * Integer.BYTES + values.length);
        file.putInt(0x0800 | sides.length);
        IntStream.of(sides).forEach(file::putInt);
        return file.put(values).array();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void equalDataAreTrained(String name, TrainingPlan plan) throws Exception {
        write(0, SAMPLES, TEST);
        write(1, "x,y,class\r\n" + SAMPLES.replace("\n", "\r\n"), TEST);
        write(2, SAMPLES, TEST.strip());

        for (Future<Outcome> rank : start(plan, WORKERS)) {
            assertThat(rank).as(name).succeedsWithin(PATIENCE).isEqualTo(new Outcome.Finished());
        }
    }

    /** An agent of protocol 0.1 would take a digest for another frame. */
    @Test
    void dataAreNotComparedUnlessAllAgentsCan() throws Exception {
        write(0, SAMPLES, TEST);
        write(1, SAMPLES, TEST);
        write(2, SAMPLES.replace('8', '9'), TEST);

        for (Future<Outcome> rank : start(plan(TestingPlan.BSP, List.of(2, 1, 1)), null)) {
            assertThat(rank).succeedsWithin(PATIENCE).isEqualTo(new Outcome.Finished());
        }
    }

    /** The last rank exchanges neither digests nor checksums, as agents of protocol 0.1. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void ranksOfTwoProtocolsTrainARunTogether(String name, TrainingPlan plan) throws Exception {
        for (int rank = 0; rank < RANKS; rank++) {
            write(rank, SAMPLES, TEST);
        }
        int last = RANKS - 1;

        List<Future<Outcome>> newer =
                IntStream.range(0, last)
                        .mapToObj(rank -> threads.submit(() -> train(rank, plan, null)))
                        .toList();
        Future<TestingReplicas.Outcome> older =
                threads.submit(() ->
                        new TestingReplicas(PlanData.load(datasets(last), plan), SystemTime::new)
                                .withoutComparison()
                                .train(plan, channels.get(last), _ -> {}));

        assertThat(newer)
                .as(name)
                .allSatisfy(rank ->
                        assertThat(rank)
                                .succeedsWithin(PATIENCE)
                                .isEqualTo(new Outcome.Finished()));
        assertThat(older).as(name).succeedsWithin(PATIENCE);
    }

    @Test
    void peerThatSendsNoDigestFailsTheChannel() {
        var digest = new DatasetDigest(List.of(new DatasetDigest.PartDigest("a", "b", "c")));
        List<Future<?>> honest =
                Stream.of(0, 1)
                        .<Future<?>>map(rank ->
                                threads.submit(() ->
                                        DataComparison.requireSame(
                                                channels.get(rank), WORKERS, digest)))
                        .toList();
        Future<?> _ = threads.submit(() -> sendNonsense(channels.get(2)));

        assertThat(honest)
                .allSatisfy(rank ->
                        assertThat(rank)
                                .failsWithin(PATIENCE)
                                .withThrowableThat()
                                .withCauseInstanceOf(ChannelFailed.class)
                                .withMessageContaining("rank 2 sent no digest of its data"));
    }

    private static void sendNonsense(Channel channel) {
        try (Arena memory = Arena.ofShared()) {
            var gather = new FrameAllGather(channel, DatasetDigest.MAX_BYTES, memory);
            byte[] nonsense = "nonsense".getBytes(UTF_8);
            gather.own().asSlice(0, nonsense.length).copyFrom(MemorySegment.ofArray(nonsense));
            gather.gather(PayloadType.PLAIN, nonsense.length);
        }
    }

    private void write(int rank, String training, String test) throws IOException {
        Path folder = Files.createDirectories(place(rank).resolve("mine"));
        Files.writeString(folder.resolve("train.csv"), training);
        Files.writeString(folder.resolve("test.csv"), test);
    }

    private Path place(int rank) {
        return places.resolve("rank-" + rank);
    }

    private List<Future<Outcome>> start(TrainingPlan plan, @Nullable List<String> workers) {
        return IntStream.range(0, RANKS)
                .mapToObj(rank -> threads.submit(() -> train(rank, plan, workers)))
                .toList();
    }

    private Outcome train(int rank, TrainingPlan plan, @Nullable List<String> workers)
            throws InterruptedException {
        var time = new SystemTime();
        var runner =
                new TrainingAssignmentRunner(
                        datasets(rank),
                        assignment -> channels.get(assignment.rank()),
                        new Throttle(1, 1, time),
                        time,
                        TestingReplicas.BACKEND,
                        new DivergedWeightsStore(places));
        return runner.run(
                assignment(rank, plan, workers), reports::add, new RunNotes(rank, _ -> {}), null);
    }

    private DatasetRegistry datasets(int rank) {
        return new DatasetRegistry(
                new DatasetSettings(
                        List.of(place(rank)), places, "npm", "apt-get", Duration.ofSeconds(1)));
    }

    private static Assignment.Training assignment(
            int rank, TrainingPlan plan, @Nullable List<String> workers) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                1,
                RunId.of(new UUID(0, 7)),
                rank,
                IntStream.range(0, RANKS).mapToObj(it -> WorkerId.of(new UUID(0, it))).toList(),
                "",
                plan,
                null,
                null,
                null,
                null,
                workers);
    }

    private static Outcome.Failed failure(Future<Outcome> rank) throws Exception {
        try {
            Outcome last = rank.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError("must fail, but ended with " + last);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(AssignmentFailed.class);
            return ((AssignmentFailed) requireNonNull(e.getCause())).toEvent();
        }
    }
}
