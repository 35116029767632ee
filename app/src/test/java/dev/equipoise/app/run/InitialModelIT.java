package dev.equipoise.app.run;

import static dev.equipoise.app.run.TestingModelRuns.beginningWith;
import static dev.equipoise.app.run.TestingModelRuns.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.app.run.TestingModelRuns.Started;
import dev.equipoise.protocol.InitialModel;
import dev.equipoise.protocol.RunId;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Runs that begin with the trained model of another one. */
@RunningService
class InitialModelIT {

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final TestingModelRuns runs;

    InitialModelIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
        this.runs = new TestingModelRuns(lab, project);
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @Test
    void runBeginsWithTheModelOfAnother() {
        Started source = runs.completed();
        byte[] file = project.member().bytes("/runs/" + source.run() + "/model");
        String digest = HexFormat.of().formatHex(TestingModels.sha256(file));
        source.agent().leave();

        Started next = runs.start(definition(beginningWith(source.run())));

        assertThat(project.run(next.run()).at("/configuration/initial/digest").stringValue())
                .isEqualTo(digest);
        assertThat(Objects.requireNonNull(next.part().model()).initial())
                .isEqualTo(new InitialModel(RunId.of(UUID.fromString(source.run())), digest));
        assertThat(
                        next.agent()
                                .client()
                                .bytes("/assignments/%s/initial-model".formatted(next.part().id())))
                .isEqualTo(file);
        JsonNode refused =
                project.member().delete("/runs/" + source.run()).problem(409, "illegal-state");
        assertThat(refused.path("detail").stringValue())
                .startsWith("Run %s begins with the model".formatted(next.run()));
        project.member().delete("/runs/" + source.run() + "/model").problem(409, "illegal-state");
        project.member().post("/runs/" + next.run() + "/cancel").expect(200);
        project.member().delete("/runs/" + source.run()).expect(204);
        project.member().post("/runs/" + next.run() + "/rerun").problem(400, "invalid-definition");
    }

    @Test
    void impossibleInitialModelsAreRejectedInWords() {
        Started source = runs.completed();
        source.agent().leave();

        assertThat(rejected(lab.project(), definition(beginningWith(source.run()))))
                .containsExactly("/initial/run must be a run of this project");
        assertThat(rejected(project, definition(beginningWith(UUID.randomUUID()))))
                .containsExactly("/initial/run must be a run of this project");
        assertThat(
                        rejected(
                                project,
                                definition(
                                        ", \"initial\": {\"run\": \"%s\", \"digest\": \"%s\"}"
                                                .formatted(source.run(), "0f".repeat(32)))))
                .singleElement()
                .asString()
                .startsWith("/initial/digest must be that of the run's model, ");
        assertThat(
                        rejected(
                                project,
                                definition(
                                        "{\"dense\": 12}, {\"dense\": 10}",
                                        beginningWith(source.run()))))
                .singleElement()
                .asString()
                .startsWith("/network must have the tensors of the model of run " + source.run())
                .contains("layers.1.weight [10, 784]", "layers.1.weight [12, 784]");
        String queued = project.submitOne(definition(""));
        assertThat(rejected(project, definition(beginningWith(queued))))
                .containsExactly("/initial/run must be a run that has ended, but it is QUEUED");
        project.member().post("/runs/" + queued + "/cancel").expect(200);
        assertThat(rejected(project, definition(beginningWith(queued))))
                .singleElement()
                .asString()
                .startsWith("/initial/run must be a run with a model. Run " + queued);
    }

    /** It would begin with random weights, as it passes over what it does not know. */
    @Test
    void agentOfAnEarlierVersionTrainsNoRunThatBeginsWithAModel() {
        Started source = runs.completed();
        source.agent().leave();
        TestingAgent old = runs.join(null);

        String run = project.submitOne(definition(beginningWith(source.run())));

        await().untilAsserted(() -> {
            old.lease(0).expect(204);
            assertThat(project.run(run).path("state").stringValue()).isEqualTo("FAILED");
        });
        JsonNode failure = project.run(run).path("failure");
        assertThat(failure.path("code").stringValue()).isEqualTo("agent-too-old");
        assertThat(failure.path("message").stringValue())
                .startsWith("rank 0 has an agent of an earlier version");
    }

    private static List<String> rejected(TestingLab.Project project, String definition) {
        String experiment = project.define(definition).path("id").stringValue();
        Answer answer = project.member().post("/experiments/" + experiment + "/runs");
        answer.problem(400, "invalid-definition");
        return answer.violations();
    }

    /** Two further runs begin with the model of the first one, and one with random weights. */
    @Test
    void plansUseEarlierRunsWithTheSameInitialModelOnly() {
        String source = completedRun("");
        String other = completedRun("");
        completedRun("");
        completedRun(beginningWith(source));
        completedRun(beginningWith(source));

        assertThat(learning(definition(""))).containsExactly(3);
        assertThat(learning(definition(beginningWith(source)))).containsExactly(2);
        assertThat(learning(definition(beginningWith(other)))).containsExactly(0);
        assertThat(
                        learning(
                                definition(
                                        ", \"matrix\": {\"initial.run\": [\"%s\", \"%s\"]}"
                                                .formatted(source, other))))
                .containsExactlyInAnyOrder(2, 0);
    }

    private String completedRun(String more) {
        Started completed = runs.completed(more);
        completed.agent().leave();
        return completed.run();
    }

    /** Returns the number of earlier runs behind each own entry of a plan. */
    private List<Integer> learning(String definition) {
        return project.member()
                .post(
                        "/plans",
                        """
                        {"definition": %s, "target": 0.7,
                         "workers": [{"name": "imagined", "samplesPerSecond": 1000}]}
                        """
                                .formatted(definition))
                .expect(200)
                .path("ranking")
                .valueStream()
                .filter(it -> it.path("own").booleanValue())
                .map(it -> it.at("/learning/runs").asInt(0))
                .toList();
    }
}
