package dev.equipoise.app.schedule;

import static dev.equipoise.app.checkpoint.TestingCheckpoints.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingCheckpoints;
import dev.equipoise.app.dispatch.TestingDispatch;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment.Training;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RunningService
class PreemptionIT {

    private static final Path FOLDER = Path.of("target/checkpoints");

    private final TestingLab lab;
    private final JdbcClient database;
    private final BeanFactory service;
    private final int port;
    private final TestingLab.Project project;

    PreemptionIT(
            @Autowired TestingLab lab,
            @LocalServerPort int port,
            @Autowired JdbcClient database,
            @Autowired BeanFactory service) {
        this.lab = lab;
        this.port = port;
        this.database = database;
        this.service = service;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** A run of 2 replicas and 4 epochs of 150 rounds. */
    private static String definition(int priority, String preemption) {
        return definition(priority, preemption, "{\"dense\": 10}");
    }

    private static String definition(int priority, String preemption, String layers) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"layers": ["flatten", %s]},
         "training": {"epochs": 4, "batchSize": 10}, "workers": {"replicas": 2}, "restarts": 0,
         "checkpoint": {"every": 0},
         "priority": %d, "preemption": "%s"}
        """
                .formatted(layers, priority, preemption);
    }

    private static AgentEvent ready(String parameters) {
        return new RunReport.ReplicaReady(0, 0.002, parameters);
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEpochs.epoch(
                epoch,
                1500,
                1,
                0.25,
                0.5,
                1.75,
                1000,
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                "after " + epoch);
    }

    private static CheckpointHeader ofGeneration(int generation, Training part, int epoch) {
        CheckpointHeader own = header(part, epoch);
        return new CheckpointHeader(
                own.run(),
                generation,
                epoch,
                own.ranks(),
                own.rank(),
                own.numbers(),
                own.common(),
                own.own());
    }

    private static Path file(String run, int epoch, int generation, int rank) {
        return FOLDER.resolve("%s-%d-%d-%d.checkpoint".formatted(run, epoch, generation, rank));
    }

    /** The leased assignments of a run, by rank. */
    private record Started(List<TestingAgent> agents, List<Training> parts) {

        void all(AgentEvent event) {
            for (int rank = 0; rank < agents.size(); rank++) {
                agents.get(rank).report(parts.get(rank), event);
            }
        }

        TestingAgent first() {
            return agents.getFirst();
        }

        Training part() {
            return parts.getFirst();
        }

        /** Uploads the part of each rank. */
        void leave(int epoch) {
            for (int rank = 0; rank < agents.size(); rank++) {
                leave(rank, epoch).expect(204);
            }
        }

        Answer leave(int rank, int epoch) {
            return upload(rank, epoch, TestingCheckpoints.file(parts.get(rank), epoch));
        }

        Answer upload(CheckpointHeader header) {
            return upload(0, header.epoch(), TestingCheckpoints.file(header));
        }

        Answer upload(int rank, int epoch, byte[] file) {
            return agents.get(rank)
                    .client()
                    .put(
                            "/assignments/%s/checkpoints/%d".formatted(parts.get(rank).id(), epoch),
                            file);
        }

        /** Downloads a part as one of the ranks. */
        Answer fetch(int rank, int part) {
            return agents.get(rank).client().get(path(rank, part));
        }

        byte[] fetched(int rank, int part) {
            return agents.get(rank).client().bytes(path(rank, part));
        }

        private String path(int rank, int part) {
            return "/assignments/%s/checkpoint/%d".formatted(parts.get(rank).id(), part);
        }

        /** Whether the service asks rank 0 to stop, in reply to its next report. */
        boolean isAskedAfter(int epoch) {
            return first().isAskedToStop(part(), new RoundReached(0, epoch + 1, 1));
        }
    }

    private Started lease(List<TestingAgent> agents) {
        List<Training> parts = agents.stream().map(TestingAgent::training).toList();
        List<TestingAgent> byRank =
                IntStream.range(0, parts.size())
                        .mapToObj(rank -> agents.get(place(parts, rank)))
                        .toList();
        return new Started(
                byRank,
                IntStream.range(0, parts.size())
                        .mapToObj(rank -> parts.get(place(parts, rank)))
                        .toList());
    }

    /** Leases new assignments after all agents have dropped the revoked ones. */
    private Started leaseAgain(List<TestingAgent> agents) {
        agents.forEach(agent -> agent.lease(0));
        return lease(agents);
    }

    private static int place(List<Training> parts, int rank) {
        return IntStream.range(0, parts.size())
                .filter(it -> parts.get(it).rank() == rank)
                .findFirst()
                .orElseThrow();
    }

    /** A run that has trained one epoch, and longer than the preemption-exempt time. */
    private Started trained(List<TestingAgent> agents) {
        Started started = lease(agents);
        started.all(ready("start"));
        started.all(epoch(1));
        lab.advance(Duration.ofMinutes(5), agents);
        return started;
    }

    private void assertState(String run, String state) {
        assertThat(project.run(run).path("state").stringValue()).isEqualTo(state);
    }

    private static List<Integer> epochs(JsonNode run) {
        return run.path("epochs").values().stream().map(it -> it.path("epoch").intValue()).toList();
    }

    private int charges(String run) {
        return database.sql("select count(*) from usage_charge where run_id = :run")
                .param("run", UUID.fromString(run))
                .query(Integer.class)
                .single();
    }

    @Test
    void preemptedRunResumesFromItsCheckpoint() {
        List<TestingAgent> agents = lab.agents(2);
        String first = project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        assertThat(before.part().checkpointing()).isEqualTo(new Checkpointing(0, 0, 0));
        String urgent = project.submitOne(definition(5, "never"));
        assertThat(before.isAskedAfter(1)).isFalse();

        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));
        before.all(epoch(2));
        before.leave(2);
        JsonNode kept = project.member().get("/runs/" + first + "/checkpoints").expect(200);
        assertThat(kept.at("/items/0/epoch").intValue()).isEqualTo(2);
        assertThat(kept.at("/items/0/ranks").intValue()).isEqualTo(2);
        assertThat(kept.at("/items/0/bytes").longValue())
                .isEqualTo(
                        before.parts().stream().mapToLong(it -> header(it, 2).fileBytes()).sum());
        before.all(new Preempted(0, 2));

        JsonNode waiting = project.run(first);
        assertThat(waiting.path("state").stringValue()).isEqualTo("QUEUED");
        assertThat(waiting.path("preemptions").intValue()).isEqualTo(1);
        assertThat(waiting.path("checkpointEpoch").intValue()).isEqualTo(2);
        assertThat(waiting.path("waiting").path("message").stringValue())
                .endsWith(
                        "it was preempted for run %s after epoch 2 and resumes from there"
                                .formatted(urgent));
        assertThat(waiting.path("progress").path("fraction").doubleValue()).isEqualTo(0.5);
        assertThat(charges(first)).isEqualTo(1);
        assertThat(project.member().text("/runs/" + first + "/log").body())
                .contains(
                        "service asks the ranks to stop after an epoch, for run " + urgent,
                        "service has the checkpoint after epoch 2");

        Started other = lease(agents);
        assertThat(other.part().run()).hasToString(urgent);
        await().untilAsserted(() ->
                assertThat(project.run(first).path("waiting").path("message").stringValue())
                        .isEqualTo(
                                "2 workers needed, 0 of 2 eligible workers idle; it was preempted for run %s after epoch 2 and resumes from there"
                                        .formatted(urgent)));
        other.first()
                .tell(other.part(), new Outcome.Failed(FailureCause.USER, "broken", "it broke"));
        assertState(urgent, "FAILED");

        Started after = leaseAgain(agents);
        assertThat(after.part().run()).hasToString(first);
        assertThat(after.part().generation()).isEqualTo(2);
        assertThat(after.parts())
                .allMatch(it -> new Checkpointing(2, 2, 0).equals(it.checkpointing()));
        for (int part = 0; part < 2; part++) {
            for (int rank = 0; rank < 2; rank++) {
                assertThat(after.fetched(rank, part))
                        .isEqualTo(TestingCheckpoints.file(before.parts().get(part), 2));
            }
        }
        after.fetch(0, 2).problem(404, "not-found");
        after.fetch(1, -1).problem(404, "not-found");
        after.all(ready("after 2"));
        assertState(first, "RUNNING");
        after.all(epoch(3));
        after.all(epoch(4));
        after.all(new Finished());

        JsonNode completed = project.run(first);
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(epochs(completed)).containsExactly(1, 2, 3, 4);
        assertThat(completed.path("epochSeconds").doubleValue()).isEqualTo(1.75);
        assertThat(charges(first)).isEqualTo(2);
        assertThat(completed.path("epochs"))
                .extracting(it -> it.at("/ranks/0/generation").intValue())
                .containsExactly(1, 1, 2, 2);
        String placements = "/runs/" + first + "/placements?limit=1";
        JsonNode newest = project.member().get(placements).expect(200);
        String cursor = newest.path("next").stringValue();
        JsonNode earlier = project.member().get(placements + "&cursor=" + cursor).expect(200);
        assertThat(newest.at("/items/0/generation").intValue()).isEqualTo(2);
        assertThat(earlier.at("/items/0/generation").intValue()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(file(first, 2, 1, 0)).doesNotExist());
    }

    /** Readers of a run may not see the runs of other projects. */
    @Test
    void preemptionForAnotherProjectNamesNoRun() {
        List<TestingAgent> agents = lab.agents(2);
        String first = project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        lab.advance(Duration.ofMinutes(25), agents);
        String foreign = lab.project().submitOne(definition(0, "never"));

        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));
        before.all(epoch(2));
        before.leave(2);
        before.all(new Preempted(0, 2));

        String resumes = "it was preempted after epoch 2 and resumes from there";
        assertThat(project.run(first).at("/waiting/message").stringValue()).endsWith(resumes);
        assertThat(project.member().text("/runs/" + first + "/log").body())
                .contains("asks the ranks to stop after an epoch, for a run of another project")
                .doesNotContain(foreign);
        assertThat(lease(agents).part().run()).hasToString(foreign);
        await().untilAsserted(() ->
                assertThat(project.run(first).at("/waiting/message").stringValue())
                        .isEqualTo("2 workers needed, 0 of 2 eligible workers idle; " + resumes));
    }

    @Test
    void runWithoutPermissionIsNotPreempted() {
        List<TestingAgent> agents = lab.agents(2);
        project.submitOne(definition(0, "never"));
        Started before = trained(agents);
        assertThat(before.part().checkpointing()).isNull();
        project.submitOne(definition(5, "never"));

        lab.advance(Duration.ofSeconds(64), agents);

        await().during(Duration.ofMillis(300)).until(() -> !before.isAskedAfter(1));
    }

    @Test
    void preemptionIsCanceledWithTheBlockedRun() {
        List<TestingAgent> agents = lab.agents(2);
        project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        String urgent = project.submitOne(definition(5, "never"));
        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));

        project.member().post("/runs/" + urgent + "/cancel").expect(200);

        await().until(() -> !before.isAskedAfter(1));
        before.upload(header(before.part(), 1)).problem(409, "illegal-state");
    }

    @Test
    void invalidCheckpointPartsAreRejected() throws Exception {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        Training part = before.part();
        before.upload(header(part, 1)).problem(409, "illegal-state");
        project.submitOne(definition(5, "never"));
        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));

        before.upload(ofGeneration(2, part, 1)).problem(409, "stale-generation");
        before.upload(0, 2, TestingCheckpoints.file(part, 1)).problem(400, "invalid-request");
        before.upload(header(part, 4)).problem(400, "invalid-request");
        before.upload(0, 1, new byte[100]).problem(400, "invalid-request");
        byte[] other = TestingCheckpoints.file(part, 1);
        other[1000] ^= 1;
        before.upload(0, 1, other).problem(400, "invalid-request");
        before.upload(0, 1, new byte[(1 << 20) + 1]).problem(413, "body-too-large");
        before.fetch(0, 0).problem(404, "not-found");
        before.upload(1, 1, TestingCheckpoints.file(part, 1)).problem(400, "invalid-request");
        before.agents()
                .getLast()
                .client()
                .put(
                        "/assignments/%s/checkpoints/1".formatted(part.id()),
                        TestingCheckpoints.file(part, 1))
                .problem(404, "not-found");
        assertThat(file(run, 1, 1, 0)).doesNotExist();
        before.leave(0, 1).expect(204);
        before.leave(0, 1).expect(204);
        before.first().report(part, new Preempted(0, 1)).problem(400, "invalid-request");
        assertThat(keptOf(run)).isEmpty();

        before.leave(1, 1).expect(204);
        before.leave(1, 1).expect(204);
        assertThat(keptOf(run)).containsExactly(1);
        assertThat(Files.size(file(run, 1, 1, 0))).isEqualTo(header(part, 1).fileBytes());
        assertThat(project.member().text("/runs/" + run + "/log").body())
                .containsOnlyOnce("has the checkpoint after epoch 1");
        assertState(run, "RUNNING");
    }

    private List<Integer> keptOf(String run) {
        return project.member()
                .get("/runs/" + run + "/checkpoints")
                .expect(200)
                .path("items")
                .valueStream()
                .map(it -> it.path("epoch").intValue())
                .toList();
    }

    /** Without locking, each rank would see the part of the other as missing. */
    @Test
    void ranksUploadPartsConcurrently() throws Exception {
        List<TestingAgent> agents = lab.agents(2);
        String run =
                project.submitOne(
                        definition(0, "never")
                                .replace("\"every\": 0", "\"every\": 1, \"keep\": 9"));
        Started started = lease(agents);
        started.all(ready("start"));

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int epoch = 1; epoch < 4; epoch++) {
                int after = epoch;
                List<Callable<Answer>> both =
                        List.of(() -> started.leave(0, after), () -> started.leave(1, after));
                for (Future<Answer> answer : threads.invokeAll(both)) {
                    answer.get().expect(204);
                }
            }
        }

        assertThat(keptOf(run)).containsExactly(1, 2, 3);
    }

    /** Parts of different generations do not form a checkpoint. */
    @Test
    void partsOfIncompleteCheckpointsAreRemovedWithTheirGeneration() {
        List<TestingAgent> agents = lab.agents(2);
        String run =
                project.submitOne(
                        definition(0, "never")
                                .replace("\"restarts\": 0", "\"restarts\": 5")
                                .replace("\"every\": 0", "\"every\": 1"));
        Started before = lease(agents);
        before.all(ready("start"));
        before.all(epoch(1));
        before.leave(1);
        before.all(epoch(2));
        before.leave(0, 2).expect(204);
        assertThat(file(run, 2, 1, 0)).exists();

        before.first()
                .tell(before.part(), new Outcome.Failed(FailureCause.WORKER, "broken", "broke"));

        await().untilAsserted(() -> assertThat(file(run, 2, 1, 0)).doesNotExist());
        assertThat(file(run, 1, 1, 0)).exists();
        assertThat(file(run, 1, 1, 1)).exists();
        assertThat(keptOf(run)).containsExactly(1);
        assertThat(project.run(run).path("checkpointEpoch").intValue()).isOne();
    }

    @Test
    void differentWeightsAfterResumeFailTheRun() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        String urgent = project.submitOne(definition(5, "never"));
        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(0));
        before.leave(1);
        before.all(new Preempted(0, 1));
        Started other = lease(agents);
        project.member().post("/runs/" + urgent + "/cancel").expect(200);
        assertThat(other.part().run()).hasToString(urgent);

        Started after = leaseAgain(agents);
        after.all(ready("something else"));

        JsonNode failed = project.run(run);
        assertThat(failed.path("state").stringValue()).isEqualTo("FAILED");
        assertThat(failed.path("failure").path("code").stringValue())
                .isEqualTo("checkpoint-differs");
    }

    private void assertReportsRefusal(String waits, String run, String why) {
        await().untilAsserted(() ->
                assertThat(project.run(waits).at("/waiting/message").stringValue())
                        .contains("; run %s cannot be preempted: %s".formatted(run, why)));
    }

    /** The weights have 1.2 MB, above the limit of 1 MB. */
    @Test
    void tooLargeCheckpointEndsPreemptionForGood() {
        List<TestingAgent> agents = lab.agents(2);
        String run =
                project.submitOne(
                        definition(0, "allowed", "{\"dense\": 400}, \"relu\", {\"dense\": 10}"));
        Started before = trained(agents);
        String urgent = project.submitOne(definition(5, "never"));
        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));

        before.upload(header(before.part(), 1)).problem(413, "body-too-large");

        assertReportsRefusal(urgent, run, "the checkpoint part has ");
        JsonNode refusal = project.run(run).path("refusal");
        assertThat(refusal.path("reason").stringValue())
                .isEqualTo(
                        "the checkpoint part has %d bytes, but at most 1048576 are allowed: increase equipoise.checkpoint.largest"
                                .formatted(header(before.part(), 1).fileBytes()));
        assertThat(refusal.path("until").isNull()).isTrue();
        lab.advance(Duration.ofMinutes(10), agents);
        await().during(Duration.ofMillis(300)).until(() -> !before.isAskedAfter(1));
        assertState(run, "RUNNING");
    }

    @Test
    void fullDiskPostponesPreemption() throws IOException {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(0, "allowed"));
        Started before = trained(agents);
        String urgent = project.submitOne(definition(5, "never"));
        lab.advance(Duration.ofSeconds(64), agents);
        await().until(() -> before.isAskedAfter(1));

        Path aside = FOLDER.resolveSibling("checkpoints-aside");
        Files.createDirectories(FOLDER);
        Files.move(FOLDER, aside);
        Files.createFile(FOLDER);
        try {
            before.upload(header(before.part(), 1)).problem(507, "no-room");
        } finally {
            Files.delete(FOLDER);
            Files.move(aside, FOLDER);
        }

        assertReportsRefusal(urgent, run, "The checkpoint cannot be written: ");
        assertThat(project.run(run).at("/refusal/times").intValue()).isEqualTo(1);
        lab.advance(Duration.ofSeconds(48), agents);
        await().during(Duration.ofMillis(300)).until(() -> !before.isAskedAfter(1));
        lab.advance(Duration.ofSeconds(16), agents);
        await().until(() -> before.isAskedAfter(1));
        before.leave(1);
        before.all(new Preempted(0, 1));

        assertState(run, "QUEUED");
        assertThat(project.run(run).path("refusal").isNull()).isTrue();
    }

    private static final int LAST = 1000;

    private static boolean isAnyWrittenAside() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.anyMatch(it -> it.toString().endsWith(".part"));
        }
    }

    /** Covers a run that ends during the upload. */
    @Test
    void lateCheckpointPartLeavesNoFile() throws Exception {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(everyEpoch());
        Started started = lease(agents);
        started.all(ready("start"));
        byte[] file = TestingCheckpoints.file(started.part(), 1);
        Files.createDirectories(FOLDER);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) Patience.PATIENCE.toMillis());
            OutputStream out = socket.getOutputStream();
            out.write(
                    """
                    PUT /api/v1/assignments/%s/checkpoints/1 HTTP/1.0\r
                    Authorization: Bearer %s\r
                    Content-Type: application/octet-stream\r
                    Content-Length: %d\r
                    \r
                    """
                            .formatted(
                                    started.part().id(),
                                    started.first().client().bearer(),
                                    file.length)
                            .getBytes(StandardCharsets.US_ASCII));
            out.write(file, 0, file.length - LAST);
            out.flush();
            await().until(PreemptionIT::isAnyWrittenAside);
            project.member().post("/runs/" + run + "/cancel").expect(200);
            out.write(file, file.length - LAST, LAST);
            out.flush();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains(" 409 ", "stale-generation");
        }
        await().untilAsserted(() -> assertThat(file(run, 1, 1, 0)).doesNotExist());
    }

    private static String everyEpoch() {
        return definition(0, "allowed").replace("{\"every\": 0}", "{\"every\": 1}");
    }

    /** Covers the clean-up at startup; files of active runs stay, however old. */
    @Test
    void filesOfACrashedServiceAreRemoved() throws IOException {
        List<TestingAgent> agents = lab.agents(2);
        String active = project.submitOne(definition(0, "allowed"));
        String over = project.submitOne(definition(0, "allowed"));
        project.member().post("/runs/" + over + "/cancel").expect(200);
        Files.createDirectories(FOLDER);
        List<Path> files =
                List.of(
                        file(active, 1, 1, 0),
                        file(over, 1, 1, 0),
                        file(UUID.randomUUID().toString(), 7, 2, 1),
                        FOLDER.resolve(active + "-1.checkpoint"),
                        FOLDER.resolve("checkpoint4711.part"));
        for (Path file : files) {
            Files.createFile(file);
            Files.setLastModifiedTime(
                    file,
                    FileTime.from(lab.clock().instant().minus(Duration.ofHours(1)).minusNanos(1)));
        }
        TestingLab.beat(agents);

        TestingDispatch.removeLeftOverCheckpoints(service);

        assertThat(files).filteredOn(Files::exists).containsExactly(files.getFirst());
        Files.delete(files.getFirst());
    }
}
