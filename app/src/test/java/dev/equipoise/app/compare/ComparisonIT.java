package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class ComparisonIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "compared",
             "dataset": {"name": "mnist", "limit": 100}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 2}, "workers": {"replicas": 1}, "seeds": [1, 2, 3]}
            """;

    private static final String SWEPT =
            """
            {"apiVersion": "equipoise/v1", "name": "swept",
             "dataset": {"name": "mnist", "limit": 100}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 2}, "workers": {"replicas": 2},
             "matrix": {"topology.algorithm": ["ring", "tree"]}, "seeds": [1, 2]}
            """;

    private final TestingLab lab;

    ComparisonIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static void train(TestingAgent agent, double firstEpoch, double secondEpoch) {
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        agent.tell(part, epoch(1, firstEpoch), epoch(2, secondEpoch), new Outcome.Finished());
    }

    private static AgentEvent epoch(int epoch, double seconds) {
        return TestingEpochs.epoch(
                epoch,
                100,
                seconds / 2,
                seconds / 4,
                seconds / 4,
                seconds,
                500L * epoch,
                0.5,
                new EpochFinished.TestScore(0.8 + epoch / 100.0, 0.4),
                "p");
    }

    @Test
    void runsAreComparedWithTheFirst() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        List<String> runs =
                project.submit(DEFINITION).stream().map(it -> it.path("id").stringValue()).toList();
        train(agent, 4, 8);
        train(agent, 2, 4);

        JsonNode comparison =
                project.member().get("/comparisons?runs=" + String.join(",", runs)).expect(200);

        assertThat(comparison.path("baseline").stringValue()).isEqualTo(runs.getFirst());
        assertThat(comparison.path("runs"))
                .extracting(it -> it.path("run").stringValue())
                .containsExactlyElementsOf(runs);
        JsonNode baseline = comparison.at("/runs/0");
        assertThat(baseline.path("epochSeconds").doubleValue()).isEqualTo(6);
        assertThat(baseline.path("speedup").doubleValue()).isEqualTo(1);
        assertThat(baseline.path("predictionError").isNull()).isTrue();
        JsonNode faster = comparison.at("/runs/1");
        assertThat(faster.path("seed").intValue()).isEqualTo(2);
        assertThat(faster.path("speedup").doubleValue()).isEqualTo(2);
        assertThat(faster.path("testAccuracy").doubleValue()).isEqualTo(0.82, within(1e-12));
        assertThat(faster.path("replicasIdentical").booleanValue()).isTrue();
        assertThat(faster.at("/shares/0").intValue()).isEqualTo(100);
        assertThat(faster.at("/ranks/0/worker").stringValue()).isEqualTo("agent-0");
        assertThat(faster.at("/ranks/0/computeSeconds").doubleValue()).isEqualTo(1.5);
        assertThat(faster.at("/ranks/0/transferSeconds").doubleValue()).isEqualTo(0.75);
        assertThat(faster.at("/ranks/0/bytesSent").intValue()).isEqualTo(750);
        assertThat(comparison.at("/runs/2/speedup").isNull()).isTrue();
        assertThat(comparison.at("/runs/2/epochSeconds").isNull()).isTrue();
    }

    @Test
    void epochOfZeroSecondsHasNoSpeedup() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        List<String> runs =
                project.submit(DEFINITION).stream().map(it -> it.path("id").stringValue()).toList();
        train(agent, 4, 8);
        train(agent, 0, 0);

        JsonNode comparison =
                project.member().get("/comparisons?runs=" + String.join(",", runs)).expect(200);

        assertThat(comparison.at("/runs/1/epochSeconds").doubleValue()).isZero();
        assertThat(comparison.at("/runs/1/speedup").isNull()).isTrue();
    }

    /** Trains two ranks; epochs take 1 s and 2 s on the slower one, which never waits. */
    private static void train(List<TestingAgent> agents, double... accuracies) {
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        for (int i = 0; i < parts.size(); i++) {
            agents.get(i).tell(parts.get(i), new RunReport.ReplicaReady(0, 0, "start"));
        }
        for (int i = 0; i < parts.size(); i++) {
            int rank = parts.get(i).rank();
            for (int epoch = 1; epoch <= accuracies.length; epoch++) {
                agents.get(i)
                        .tell(
                                parts.get(i),
                                TestingEpochs.epoch(
                                        epoch,
                                        50,
                                        0.5,
                                        0.25,
                                        rank * 0.5,
                                        epoch - rank * 0.125,
                                        300,
                                        1.0 / epoch,
                                        new EpochFinished.TestScore(accuracies[epoch - 1], 0.4),
                                        "p"));
            }
            agents.get(i).tell(parts.get(i), new Outcome.Finished());
        }
    }

    @Test
    void runsThatDifferInTheirSeedsAreOneGroup() {
        TestingLab.Project project = lab.project();
        List<TestingAgent> agents = lab.agents(2);
        String runs =
                project.submit(SWEPT).stream()
                        .map(it -> it.path("id").stringValue())
                        .collect(Collectors.joining(","));
        train(agents, 0.5, 0.8);
        train(agents, 0.5, 0.9);
        train(agents, 0.9, 0.9);
        train(agents, 0.7, 0.95);

        JsonNode comparison =
                project.member().get("/comparisons?target=0.7&runs=" + runs).expect(200);

        assertThat(comparison.path("target").doubleValue()).isEqualTo(0.7);
        JsonNode ring = comparison.at("/groups/0");
        assertThat(ring.path("label").stringValue()).isEqualTo("ring");
        assertThat(comparison.path("runs"))
                .extracting(it -> it.path("name").stringValue())
                .containsExactly("ring, seed 1", "ring, seed 2", "tree, seed 1", "tree, seed 2");
        assertThat(ring.path("seeds")).extracting(JsonNode::intValue).containsExactly(1, 2);
        assertThat(ring.at("/figures/finalAccuracy/mean").doubleValue())
                .isEqualTo(0.85, within(1e-12));
        assertThat(ring.path("reached").intValue()).isEqualTo(1);
        assertThat(ring.at("/figures/secondsToTarget").isNull()).isTrue();
        assertThat(ring.path("accuracyDifference").isNull()).isTrue();
        JsonNode tree = comparison.at("/groups/1");
        assertThat(tree.at("/figures/secondsToTarget/mean").doubleValue()).isEqualTo(1);
        assertThat(tree.at("/accuracyDifference/mean").doubleValue())
                .isEqualTo(0.075, within(1e-12));
        assertThat(tree.at("/accuracyDifference/interval").stringValue()).isEqualTo("range");
        assertThat(tree.at("/accuracyDifference/points")).hasSize(2);
        assertThat(tree.at("/ratioEstimates/trainingTime/high").doubleValue()).isEqualTo(1);
        assertThat(tree.path("commonSeeds")).extracting(JsonNode::intValue).containsExactly(1, 2);
        assertThat(comparison.path("rankings"))
                .hasSize(3)
                .allSatisfy(it -> assertThat(it.path("ties")).isEmpty());
        assertThat(comparison.at("/rankings/0/unranked"))
                .extracting(JsonNode::intValue)
                .containsExactly(0, 1);
        assertThat(comparison.path("scaling"))
                .extracting(it -> it.path("line").stringValue() + " " + it.path("replicas"))
                .containsExactly("ring 2", "tree 2");
        assertThat(comparison.at("/scaling/0/training/seconds/mean").doubleValue()).isEqualTo(3);
        JsonNode last = comparison.at("/runs/3");
        assertThat(last.path("group").intValue()).isEqualTo(1);
        assertThat(last.at("/figures/trainingSeconds").doubleValue()).isEqualTo(3);
        assertThat(last.at("/figures/communicationSeconds").doubleValue()).isEqualTo(0.5);
        assertThat(last.at("/figures/synchronizationSeconds").doubleValue()).isEqualTo(1);
        assertThat(last.at("/figures/bytesSent").longValue()).isEqualTo(1200);
        assertThat(last.at("/figures/samples").longValue()).isEqualTo(200);
        assertThat(last.at("/ratios/trainingTime").doubleValue()).isEqualTo(1);
        assertThat(last.at("/curve/0/seconds").doubleValue()).isEqualTo(1);
        assertThat(last.at("/curve/1/bytes").longValue()).isEqualTo(1200);
        assertThat(last.at("/curve/1/testAccuracy").doubleValue()).isEqualTo(0.95);
    }

    @Test
    void runsOfAScalingLineHaveTheRequestedFieldInCommon() {
        TestingLab.Project project = lab.project();
        List<TestingAgent> agents = lab.agents(2);
        String runs =
                project.submit(SWEPT).stream()
                        .map(it -> it.path("id").stringValue())
                        .collect(Collectors.joining(","));
        for (int run = 0; run < 4; run++) {
            train(agents, 0.5, 0.8);
        }

        JsonNode comparison =
                project.member().get("/comparisons?line=training.epochs&runs=" + runs).expect(200);

        assertThat(comparison.path("scaling"))
                .extracting(it -> it.path("line").stringValue())
                .containsExactly("training.epochs=2");
        assertThat(
                        project.member()
                                .get("/comparisons?line=%3Cb%3E&runs=" + runs)
                                .problem(400, "invalid-request"))
                .isNotNull();
        assertThat(
                        project.member()
                                .get("/comparisons?line=topology.algoritm&runs=" + runs)
                                .violations())
                .singleElement()
                .asString()
                .startsWith("?line must be the path of a field with a value");
    }

    private static final String SERVED =
            """
            {"apiVersion": "equipoise/v1", "name": "served",
             "dataset": {"name": "mnist", "limit": 100}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1}, "workers": {"replicas": 2}, "topology": "parameter-server",
             "execution": {"kind": "virtual", "samplesPerSecond": 100}}
            """;

    /** Rank 0 is a server and idle most of the time. */
    @Test
    void figuresAreMeansOverRanksThatTrain() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(SERVED);
        Assignment simulation = agent.work();
        for (int rank = 0; rank < 3; rank++) {
            agent.tell(simulation, new RunReport.ReplicaReady(rank, 0, "start"));
        }
        agent.tell(
                simulation,
                exchanging(0, 0, 0, 9),
                TestingEpochs.exchanging(
                        0.5, 6, TestingEpochs.reaching(0.5, exchanging(1, 50, 2, 1))),
                TestingEpochs.exchanging(
                        1, 2, TestingEpochs.reaching(0.75, exchanging(2, 50, 4, 3))),
                new Outcome.Finished());

        JsonNode figures =
                project.member().get("/comparisons?runs=" + run).expect(200).at("/runs/0/figures");

        assertThat(figures.path("replicaAccuracy").doubleValue()).isEqualTo(0.625);
        assertThat(figures.path("bestReplicaAccuracy").doubleValue()).isEqualTo(0.75);
        assertThat(figures.path("bestReplica").intValue()).isEqualTo(2);
        assertThat(figures.path("communicationSeconds").doubleValue()).isEqualTo(3);
        assertThat(figures.path("synchronizationSeconds").doubleValue()).isEqualTo(5);
        assertThat(figures.path("hiddenSeconds").doubleValue()).isEqualTo(4);
        assertThat(figures.path("encodeSeconds").doubleValue()).isEqualTo(0.75);
    }

    /** The mean has an accuracy of 0.8, the replicas 0.5 and 0.75. */
    @Test
    void definitionLetsTheReplicasBeCompared() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        SERVED.replace(
                                "\"execution\"",
                                "\"evaluation\": {\"compared\": \"replicas\"}, \"execution\""));
        Assignment simulation = agent.work();
        for (int rank = 0; rank < 3; rank++) {
            agent.tell(simulation, new RunReport.ReplicaReady(rank, 0, "start"));
        }
        agent.tell(
                simulation,
                exchanging(0, 0, 0, 9),
                TestingEpochs.reaching(0.5, exchanging(1, 50, 2, 1)),
                TestingEpochs.reaching(0.75, exchanging(2, 50, 4, 3)),
                new Outcome.Finished());

        String path = "/comparisons?runs=%s&target=".formatted(run);
        JsonNode reached = project.member().get(path + "0.6").expect(200);
        JsonNode missed = project.member().get(path + "0.7").expect(200);

        assertThat(reached.path("compared").stringValue()).isEqualTo("replicas");
        assertThat(reached.at("/runs/0/curve/0/replicaAccuracy").doubleValue()).isEqualTo(0.625);
        assertThat(reached.at("/runs/0/figures/finalAccuracy").doubleValue()).isEqualTo(0.8);
        assertThat(reached.at("/runs/0/figures/secondsToTarget").doubleValue()).isEqualTo(10);
        assertThat(missed.at("/runs/0/figures/secondsToTarget").isNull()).isTrue();
    }

    private static EpochFinished exchanging(int rank, int samples, double transfer, double wait) {
        return TestingEpochs.ofRank(
                rank,
                TestingEpochs.epoch(
                        1,
                        samples,
                        1,
                        transfer,
                        wait,
                        10,
                        300,
                        0.5,
                        new EpochFinished.TestScore(0.8, 0.4),
                        "p"));
    }

    @Test
    void comparisonIsServedAsCsvAndMarkdown() {
        TestingLab.Project project = lab.project();
        String run = project.submit(DEFINITION).getFirst().path("id").stringValue();
        String path = "/comparisons?runs=%s&format=".formatted(run);

        TestingClient.Text csv = project.member().text(path + "csv");
        TestingClient.Text markdown = project.member().text(path + "markdown");

        assertThat(csv.type()).isEqualTo("text/csv;charset=UTF-8");
        assertThat(csv.body().lines().toList().get(2)).startsWith("run,compared,compared,1," + run);
        assertThat(markdown.type()).isEqualTo("text/markdown;charset=UTF-8");
        assertThat(markdown.body()).startsWith("| row | label | name |");
    }

    @Test
    void subjectsHaveTheNamesAndDifferencesOfTheComparison() {
        TestingLab.Project project = lab.project();
        List<String> runs =
                project.submit(SWEPT).stream().map(it -> it.path("id").stringValue()).toList();
        String again =
                project.member()
                        .post("/runs/" + runs.getFirst() + "/rerun")
                        .expect(202)
                        .at("/items/0/id")
                        .stringValue();
        String hidden = lab.project().submitOne(DEFINITION);
        String query = "runs=%s,%s".formatted(again, String.join(",", runs));

        JsonNode subjects =
                project.member()
                        .get("/comparisons/subjects?%s,%s".formatted(query, hidden))
                        .expect(200);
        JsonNode comparison = project.member().get("/comparisons?" + query).expect(200);

        assertThat(subjects.path("items"))
                .extracting(it -> it.path("name").stringValue())
                .containsExactly(
                        "ring, seed 1 (2)",
                        "ring, seed 1",
                        "ring, seed 2",
                        "tree, seed 1",
                        "tree, seed 2");
        for (String field : List.of("run", "name", "label", "group", "seed", "state")) {
            assertThat(subjects.path("items"))
                    .extracting(it -> it.path(field))
                    .containsExactlyElementsOf(
                            comparison
                                    .path("runs")
                                    .valueStream()
                                    .map(it -> it.path(field))
                                    .toList());
        }
        assertThat(subjects.path("differences")).isEqualTo(comparison.path("differences"));
        assertThat(subjects.path("differences"))
                .extracting(it -> it.path("path").stringValue() + " " + it.path("written"))
                .containsExactly("topology.algorithm true", "seed true");
        assertThat(subjects.at("/items/0/replicas").intValue()).isEqualTo(2);
        project.member().get("/comparisons/subjects?runs=" + hidden).problem(404, "not-found");
    }

    @Test
    void invalidFormatsTargetsAndRunsAreRejected() {
        TestingLab.Project project = lab.project();
        String path = "/comparisons?runs=" + project.submitOne(DEFINITION);

        assertThat(project.member().get(path + "&format=xml&target=1.5").violations())
                .containsExactlyInAnyOrder(
                        "?format must match \"json|csv|markdown\"",
                        "?target must be less than or equal to 1");
        lab.project().member().get(path).problem(404, "not-found");
    }

    @Test
    void atMost100RunsAreCompared() {
        TestingLab.Project project = lab.project();
        String run = project.submit(DEFINITION).getFirst().path("id").stringValue();
        String many = IntStream.range(0, 101).mapToObj(_ -> run).collect(Collectors.joining(","));

        Answer answer = project.member().get("/comparisons?runs=" + many);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).containsExactly("?runs size must be between 1 and 100");
    }
}
