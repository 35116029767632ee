package dev.equipoise.app.run;

import static dev.equipoise.app.run.TestingModelRuns.LAST;
import static dev.equipoise.app.run.TestingModelRuns.definition;
import static dev.equipoise.app.run.TestingModelRuns.epoch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.app.dispatch.TestingDispatch;
import dev.equipoise.app.run.TestingModelRuns.Started;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.ModelKeeping;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.model.ModelMetadata;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.model.SafetensorsHeader;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Trained models: stored by agents, served to users, and removed. */
@RunningService
class ModelIT {

    private static final Path FOLDER = Path.of("target/checkpoints");

    private static final Architecture OTHER_NETWORK =
            Architecture.of(
                    "layers",
                    new Shape.Image(28, 28, 1),
                    List.of(new Layer.Flatten(), new Layer.Dense(12), new Layer.Dense(10)));

    private final TestingLab lab;
    private final BeanFactory service;
    private final JsonMapper json;
    private final TestingLab.Project project;
    private final TestingModelRuns runs;

    ModelIT(@Autowired TestingLab lab, @Autowired BeanFactory service, @Autowired JsonMapper json) {
        this.lab = lab;
        this.service = service;
        this.json = json;
        this.project = lab.project();
        this.runs = new TestingModelRuns(lab, project);
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static List<String> filesOf(String run) throws IOException {
        if (!Files.isDirectory(FOLDER)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(it -> it.getFileName().toString())
                    .filter(it -> it.startsWith(run) && it.endsWith(".safetensors"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void lastModelIsServedToMembersOfTheProject() throws IOException {
        Started started = runs.start(definition(""));
        assertThat(Objects.requireNonNull(started.part().model()).keeping())
                .isEqualTo(
                        new ModelKeeping(
                                ModelKeeping.Kept.LAST,
                                ModelKeeping.WeightSource.MEAN,
                                ModelKeeping.Criterion.ACCURACY,
                                null));
        runs.model(started.run()).problem(404, "model-not-yet");
        assertThat(project.run(started.run()).path("model").isNull()).isTrue();

        started.upload(LAST, started.file(0.5f)).expect(204);
        started.upload(LAST, started.file(0.5f)).expect(204);
        started.finish();

        runs.assertState(started.run(), "COMPLETED");
        await().untilAsserted(() -> assertThat(filesOf(started.run())).hasSize(1));
        byte[] served = project.member().bytes("/runs/" + started.run() + "/model");
        String digest = HexFormat.of().formatHex(TestingModels.sha256(served));
        JsonNode model = project.run(started.run()).path("model");
        assertThat(model.path("epoch").intValue()).isEqualTo(2);
        assertThat(model.path("accuracy").doubleValue()).isEqualTo(0.75);
        assertThat(model.path("loss").doubleValue()).isEqualTo(0.5);
        assertThat(model.path("bytes").intValue()).isEqualTo(served.length);
        assertThat(model.path("digest").stringValue()).isEqualTo(digest);
        assertThat(model.path("replica").isNull()).isTrue();
        SafetensorsHeader header =
                SafetensorsHeader.read(new ByteArrayInputStream(served), served.length);
        assertThat(header.tensors())
                .isEqualTo(
                        ModelTensors.of(started.part().plan().network()).stream()
                                .map(ModelTensor::entry)
                                .toList());
        assertThat(header.metadata())
                .containsEntry(ModelMetadata.RUN, started.run())
                .containsEntry(ModelMetadata.EPOCH, "2")
                .containsEntry(ModelMetadata.ACCURACY, "0.75");
        assertThat(json.readTree(header.metadata().get(ModelMetadata.DEFINITION)))
                .isEqualTo(project.run(started.run()).path("configuration"));
        lab.project().member().get("/runs/" + started.run() + "/model").problem(404, "not-found");
    }

    @Test
    void downloadHasANameAndAnETag() {
        Started started = runs.completed();

        Answer answer = runs.model(started.run());

        answer.expect(200);
        String digest = project.run(started.run()).at("/model/digest").stringValue();
        HttpHeaders headers = answer.headers();
        assertThat(headers.getETag()).isEqualTo("\"%s\"".formatted(digest));
        assertThat(headers.getContentDisposition().getFilename())
                .isEqualTo("run-%s-epoch-2.safetensors".formatted(started.run()));
        assertThat(headers.getContentLength())
                .isEqualTo(project.run(started.run()).at("/model/bytes").longValue());
        assertThat(headers.getContentType()).isEqualTo(MediaType.APPLICATION_OCTET_STREAM);
        assertThat(headers.getFirst(ContentDigest.HEADER))
                .isEqualTo(ContentDigest.of(HexFormat.of().parseHex(digest)));
    }

    /** A weak tag and one of several name the file, too. */
    @Test
    void fileThatTheCallerHasIsNotOpened() throws IOException {
        Started started = runs.completed();
        String path = "/runs/" + started.run() + "/model";
        String tag = runs.model(started.run()).headers().getETag();

        for (String named : List.of("" + tag, "W/" + tag, "\"another\", " + tag)) {
            Answer answer = project.member().withHeader(HttpHeaders.IF_NONE_MATCH, named).get(path);
            answer.expect(304);
            assertThat(answer.headers().getETag()).isEqualTo(tag);
        }
        project.member().withHeader(HttpHeaders.IF_NONE_MATCH, "\"another\"").get(path).expect(200);

        await().untilAsserted(() -> assertThat(openFilesOf(started.run())).isEmpty());
    }

    /** Returns the files of a run that this process, and so the service, has open. */
    private static List<String> openFilesOf(String run) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(ModelIT::target).filter(it -> it.contains(run)).toList();
        }
    }

    /** Returns the file of a descriptor; an empty text if it was closed meanwhile. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    @Test
    void modelThatTheRunDoesNotWantIsRejected() throws IOException {
        Started started = runs.start(definition(""));
        byte[] file = started.file(0.5f);
        TestingClient agent = started.agent().client();

        TestingModels.upload(
                        agent,
                        started.part().id(),
                        0,
                        LAST,
                        file,
                        TestingModels.sha256(new byte[1]))
                .problem(400, "invalid-request");
        started.upload(new ModelScore(1, 0.75, 0.5), file).problem(400, "invalid-request");
        started.upload(new ModelScore(3, 0.75, 0.5), file).problem(400, "invalid-request");
        started.upload(LAST, new byte[100]).problem(400, "invalid-request");
        TestingModels.upload(agent, started.part().id(), 1, LAST, file)
                .problem(400, "invalid-request");
        agent.put(TestingModels.path(started.part().id(), 0, LAST), file)
                .problem(400, "invalid-request");
        started.upload(LAST, TestingModels.file(OTHER_NETWORK, 0.5f))
                .problem(400, "invalid-request");

        assertThat(filesOf(started.run())).isEmpty();
        runs.model(started.run()).problem(404, "model-not-yet");
    }

    @Test
    void runWithoutModelSaysSo() {
        Started started = runs.start(definition(", \"keepModel\": \"none\""));

        assertThat(started.part().model()).isNull();
        started.upload(LAST, started.file(0.5f)).problem(409, "illegal-state");
        JsonNode problem = runs.model(started.run()).problem(404, "model-not-kept");
        assertThat(problem.path("detail").stringValue()).contains("keepModel: none");
    }

    @Test
    void bestModelReplacesWorseOnesAndSurvivesTheCancellation() throws IOException {
        Started started = runs.start(definition(", \"keepModel\": \"best\""));
        started.tell(epoch(1));
        started.upload(new ModelScore(1, 0.5, 1), started.file(1)).expect(204);
        String first = filesOf(started.run()).getFirst();

        started.upload(new ModelScore(2, 0.7, 1), started.file(2)).expect(204);

        assertThat(project.run(started.run()).at("/model/epoch").intValue()).isEqualTo(2);
        await().untilAsserted(
                        () -> assertThat(filesOf(started.run())).hasSize(1).doesNotContain(first));
        started.upload(new ModelScore(1, 0.6, 1), started.file(3)).expect(204);
        assertThat(project.run(started.run()).at("/model/accuracy").doubleValue()).isEqualTo(0.7);
        await().untilAsserted(() -> assertThat(filesOf(started.run())).hasSize(1));

        project.member().post("/runs/" + started.run() + "/cancel").expect(200);

        runs.model(started.run()).expect(200);
    }

    /** The epochs are trained again, but the better model of the first generation stays. */
    @Test
    void bestModelSurvivesARestart() {
        Started first =
                runs.start(
                        definition(", \"keepModel\": \"best\"")
                                .replace("\"restarts\": 0", "\"restarts\": 5"));
        first.tell(epoch(1));
        var best = new ModelScore(1, 0.7, 1);
        first.upload(best, first.file(1)).expect(204);

        first.tell(new Outcome.Failed(FailureCause.WORKER, "peer-lost", "a test ends it"));
        lab.advance(Duration.ofSeconds(4), List.of(first.agent()));
        var second = new Started(first.run(), first.agent(), first.agent().training());

        assertThat(second.part().generation()).isEqualTo(2);
        assertThat(Objects.requireNonNull(second.part().model()).keeping())
                .isEqualTo(
                        new ModelKeeping(
                                ModelKeeping.Kept.BEST,
                                ModelKeeping.WeightSource.MEAN,
                                ModelKeeping.Criterion.ACCURACY,
                                best));
        second.tell(new RunReport.ReplicaReady(0, 0.002, "start"));
        first.upload(new ModelScore(2, 0.9, 1), first.file(2)).problem(409, "stale-generation");
        second.upload(new ModelScore(1, 0.6, 1), second.file(3)).expect(204);
        assertThat(project.run(first.run()).at("/model/generation").intValue()).isEqualTo(1);
        second.upload(new ModelScore(2, 0.8, 1), second.file(4)).expect(204);
        assertThat(project.run(first.run()).at("/model/generation").intValue()).isEqualTo(2);
    }

    @Test
    void canceledRunHasNoLastModel() {
        Started started = runs.start(definition(""));
        project.member().post("/runs/" + started.run() + "/cancel").expect(200);

        JsonNode problem = runs.model(started.run()).problem(404, "model-not-kept");

        assertThat(problem.path("detail").stringValue())
                .contains("CANCELLED and ended before it had a model")
                .contains("after the last epoch");
        started.upload(LAST, started.file(0.5f)).problem(409, "stale-generation");
    }

    @Test
    void removedModelIsGoneAndTheFiguresStay() throws IOException {
        Started started = runs.completed();
        String path = "/runs/" + started.run() + "/model";
        assertThat(filesOf(started.run())).hasSize(1);
        lab.member(project, "viewer").delete(path).problem(403, "forbidden");

        project.member().delete(path).expect(204);

        runs.model(started.run()).problem(404, "model-removed");
        project.member().delete(path).problem(404, "model-removed");
        JsonNode run = project.run(started.run());
        assertThat(run.path("model").isNull()).isTrue();
        assertThat(run.path("testAccuracy").doubleValue()).isEqualTo(0.75);
        await().untilAsserted(() -> assertThat(filesOf(started.run())).isEmpty());
    }

    @Test
    void removedRunTakesItsModelAlong() throws IOException {
        Started started = runs.completed();
        assertThat(filesOf(started.run())).hasSize(1);

        project.member().delete("/runs/" + started.run()).expect(204);

        await().untilAsserted(() -> assertThat(filesOf(started.run())).isEmpty());
    }

    @Test
    void removedProjectTakesItsModelsAlong() throws IOException {
        Started started = runs.completed();
        String path = "/projects/" + project.id();
        String name = lab.administrator().get(path).expect(200).path("name").stringValue();

        lab.administrator().delete(path + "?everything=true&name=" + name).expect(204);

        await().untilAsserted(() -> assertThat(filesOf(started.run())).isEmpty());
    }

    @Test
    void leftOverModelsAreRemovedAfterAnHour() throws IOException {
        Started started = runs.completed();
        String other = "%s-2-1-0-%s.safetensors".formatted(UUID.randomUUID(), UUID.randomUUID());
        Files.createFile(FOLDER.resolve(other));
        FileTime old = FileTime.from(lab.clock().instant().minusSeconds(3700));
        Files.setLastModifiedTime(FOLDER.resolve(other), old);
        Files.setLastModifiedTime(FOLDER.resolve(filesOf(started.run()).getFirst()), old);

        TestingDispatch.removeLeftOverModels(service);

        assertThat(FOLDER.resolve(other)).doesNotExist();
        assertThat(filesOf(started.run())).hasSize(1);
    }

    @Test
    void projectThatHasReachedItsQuotaStoresNoModel() {
        Started started = runs.start(definition(""));
        setQuota(1);

        started.upload(LAST, started.file(0.5f)).problem(409, "quota-exceeded");

        started.finish();
        runs.assertState(started.run(), "COMPLETED");
        JsonNode problem = runs.model(started.run()).problem(404, "model-not-kept");
        assertThat(problem.path("detail").stringValue()).contains("the run's log says why");
    }

    private void setQuota(long storedBytes) {
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("storedBytes", storedBytes))
                .expect(200);
    }

    private long storedBytes() {
        return project.member()
                .get("/projects/" + project.id() + "/usage")
                .expect(200)
                .path("storedBytes")
                .longValue();
    }

    /** The tensors of the model alone have 4 bytes for each of 7,850 weights. */
    @Test
    void modelThatWouldExceedTheQuotaIsNotStored() throws IOException {
        Started started = runs.start(definition(""));
        setQuota(storedBytes() + 31_000);

        JsonNode problem = started.upload(LAST, started.file(0.5f)).problem(409, "quota-exceeded");

        assertThat(problem.path("detail").stringValue()).contains("more do not fit");
        assertThat(filesOf(started.run())).isEmpty();
        setQuota(storedBytes() + 60_000);
        started.upload(LAST, started.file(0.5f)).expect(204);
    }

    /** The file of the replaced model makes room for that of the better one. */
    @Test
    void betterModelOfEqualSizeFitsIntoAFullProject() {
        Started started = runs.start(definition(", \"keepModel\": \"best\""));
        started.tell(epoch(1));
        started.upload(new ModelScore(1, 0.5, 1), started.file(1)).expect(204);
        setQuota(storedBytes() + 10_000);

        started.upload(new ModelScore(2, 0.7, 1), started.file(2)).expect(204);

        assertThat(project.run(started.run()).at("/model/epoch").intValue()).isEqualTo(2);
    }

    @Test
    void virtualRunHasAModelToo() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(
                                ", \"execution\": {\"kind\": \"virtual\", \"samplesPerSecond\": 100}"));
        var simulation = (Assignment.Simulation) agent.work();
        assertThat(simulation.model()).isNotNull();
        agent.tell(simulation, new RunReport.ReplicaReady(0, 0.002, "start"));

        TestingModels.upload(
                        agent.client(),
                        simulation.id(),
                        0,
                        LAST,
                        TestingModels.file(simulation.plan().network(), 1))
                .expect(204);

        assertThat(project.run(run).at("/model/epoch").intValue()).isEqualTo(2);
    }
}
