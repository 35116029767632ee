package dev.equipoise.agent.service;

import static dev.equipoise.testing.Patience.PATIENCE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.model.ModelDescription;
import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.service.TestingService.Request;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.InitialModel;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.Noted;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.model.ModelReader;
import dev.equipoise.protocol.model.ModelStream;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Uploads and downloads of models over HTTP. */
class ModelsAtServiceIT {

    private static final RunId RUN = RunId.of(new UUID(7, 9));
    private static final RunId SOURCE = RunId.of(new UUID(7, 8));
    private static final AssignmentId ASSIGNMENT = AssignmentId.of(new UUID(7, 10));
    private static final TrainingPlan PLAN = TestingPlan.tiny(1);
    private static final List<ModelTensor> TENSORS = ModelTensors.of(PLAN.network());
    private static final ModelScore SCORE = new ModelScore(3, 0.75, 0.5);
    private static final Registration REGISTRATION =
            new Registration(
                    "alpha",
                    new HostDescription("host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                    "127.0.0.1:5701",
                    Map.of(),
                    Credential.random(new SecureRandom()));
    private static final Answer ADMISSION =
            Answer.ok(
                    """
                    {"worker":"%s","clusterName":"lab","members":[]}\
                    """
                            .formatted(new UUID(7, 11)));

    private final AtomicReference<Answer> usual = new AtomicReference<>(ADMISSION);
    private final Queue<Answer> first = new ConcurrentLinkedQueue<>();
    private final TestingService service = TestingService.answering(_ -> answer());
    private final TestingTime time = new TestingTime();
    private final List<Noted> notes = new ArrayList<>();

    private Answer answer() {
        Answer next = first.poll();
        return next == null ? usual.get() : next;
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private ModelsAtService models(ModelInstructions instructions) throws InterruptedException {
        return new ModelsAtService(
                ServiceClient.register(service.endpoint(), PATIENCE, "eqj_token", REGISTRATION),
                ASSIGNMENT,
                RUN,
                PLAN,
                instructions,
                new RunNotes(0, notes::add),
                time);
    }

    private ModelsAtService storing() throws InterruptedException {
        return models(new ModelInstructions(null, null));
    }

    private ModelsAtService beginningWith(String digest) throws InterruptedException {
        return models(new ModelInstructions(null, new InitialModel(SOURCE, digest)));
    }

    private static MemorySegment weights(float first) {
        MemorySegment weights =
                Arena.ofAuto().allocate(JAVA_FLOAT, PLAN.network().parameterCount());
        for (int i = 0; i < PLAN.network().parameterCount(); i++) {
            weights.setAtIndex(JAVA_FLOAT, i, first + i);
        }
        return weights;
    }

    private static byte[] file(MemorySegment weights) throws IOException {
        try (var stream = new ModelStream(Map.of(), TENSORS, weights)) {
            return stream.readAllBytes();
        }
    }

    private static String digest(byte[] file) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
    }

    @Test
    void modelIsStoredDespiteAProxy() throws Exception {
        ModelsAtService models = storing();
        first.addAll(Answer.FROM_PROXIES);
        usual.set(Answer.NO_CONTENT);

        models.store(2, SCORE, weights(0.5f));

        Request last = service.requests().getLast();
        assertThat(last.method()).isEqualTo("PUT");
        assertThat(last.path())
                .endsWith(
                        "assignments/%s/model/3?rank=2&accuracy=0.75&loss=0.5"
                                .formatted(ASSIGNMENT));
        assertThat(notes).isEmpty();
        assertThat(time.sleeps()).isEqualTo(Answer.FROM_PROXIES.size());
        byte[] file = last.body().getBytes(ISO_8859_1);
        ModelReader reader = ModelReader.open(new ByteArrayInputStream(file), file.length);
        assertThat(ModelDescription.of(reader.header().metadata()))
                .satisfies(it -> {
                    assertThat(it.run()).isEqualTo(RUN);
                    assertThat(it.epoch()).isEqualTo(3);
                    assertThat(it.accuracy()).isEqualTo(0.75);
                    assertThat(it.network()).isEqualTo(PLAN.network());
                });
        MemorySegment read = weights(0);
        reader.readInto(TENSORS, read);
        assertThat(read.mismatch(weights(0.5f))).isEqualTo(-1);
    }

    @Test
    void modelNamesTheClassesOfOwnData() throws Exception {
        ModelsAtService models = storing();
        usual.set(Answer.NO_CONTENT);

        models.naming(List.of("iris", "rose")).store(0, SCORE, weights(0));

        assertThat(notes).isEmpty();
        byte[] file = service.requests().getLast().body().getBytes(ISO_8859_1);
        ModelReader reader = ModelReader.open(new ByteArrayInputStream(file), file.length);
        assertThat(ModelDescription.of(reader.header().metadata()).classNames())
                .containsExactly("iris", "rose");
    }

    @Test
    void refusedModelIsNotedAndNotRepeated() throws Exception {
        ModelsAtService models = storing();
        usual.set(Answer.problem(409, "quota-exceeded", "The project may store 10 bytes"));

        models.store(0, SCORE, weights(0));

        assertThat(time.sleeps()).isZero();
        assertThat(notes)
                .singleElement()
                .satisfies(it ->
                        assertThat(it.text())
                                .startsWith("could not store the model after epoch 3: ")
                                .contains("The project may store 10 bytes"));
    }

    @Test
    void interruptedUploadIsNoted() throws Exception {
        ModelsAtService models = storing();
        usual.set(Answer.FROM_PROXIES.getFirst());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> models.store(0, SCORE, weights(0)))
                .isInstanceOf(InterruptedException.class);

        assertThat(notes)
                .extracting(Noted::text)
                .containsExactly(
                        "did not store the model after epoch 3: the training stopped during the upload");
    }

    @Test
    void initialModelIsLoadedDespiteAProxy() throws Exception {
        byte[] file = file(weights(7));
        ModelsAtService models = beginningWith(digest(file));
        first.addAll(Answer.FROM_PROXIES);
        usual.set(Answer.bytes(new String(file, ISO_8859_1)));
        MemorySegment loaded = weights(0);

        models.loadInitial(loaded);

        assertThat(loaded.mismatch(weights(7))).isEqualTo(-1);
        assertThat(service.requests().getLast().path())
                .endsWith("assignments/%s/initial-model".formatted(ASSIGNMENT));
    }

    @Test
    void initialModelWithOtherBytesFailsTheAssignment() throws Exception {
        ModelsAtService models = beginningWith(digest(file(weights(7))));
        usual.set(Answer.bytes(new String(file(weights(8)), ISO_8859_1)));

        assertThatThrownBy(() -> models.loadInitial(weights(0)))
                .isInstanceOfSatisfying(
                        AssignmentFailed.class,
                        e -> {
                            assertThat(e.toEvent().code()).isEqualTo("model-corrupt");
                            assertThat(e.toEvent().cause()).isEqualTo(FailureCause.WORKER);
                        });
    }

    @Test
    void missingInitialModelIsNotAwaitedAndNoFaultOfTheWorker() throws Exception {
        ModelsAtService models = beginningWith("0f".repeat(32));
        usual.set(Answer.problem(404, "not-found", "There is no model of run x"));

        assertThatThrownBy(() -> models.loadInitial(weights(0)))
                .isInstanceOfSatisfying(
                        AssignmentFailed.class,
                        e -> {
                            assertThat(e.toEvent().code()).isEqualTo("model-unavailable");
                            assertThat(e.toEvent().cause()).isEqualTo(FailureCause.USER);
                        });
        assertThat(time.sleeps()).isZero();
    }
}
