package dev.equipoise.app.run;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Network that repeats and reorders the reports of agents. */
@RunningService
class ReorderedReportIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "reordered",
             "dataset": {"name": "mnist", "limit": 1000}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 1}}
            """;

    private static final int REPORTS = 12;
    private static final int POINTS = 5;
    private static final int MAX_LENGTH = 6;
    private static final int SENDERS = 4;
    private static final int LINKED = 4;

    private final TestingLab lab;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();

    ReorderedReportIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        senders.shutdownNow();
        lab.clear();
    }

    /** Returns all events that a rank reports of its run. */
    private static List<AgentEvent> story() {
        List<AgentEvent> story = new ArrayList<>();
        story.add(new RunReport.ReplicaReady(0, 0.01, "start"));
        for (int report = 0; report < REPORTS; report++) {
            List<Long> steps = new ArrayList<>();
            List<Double> values = new ArrayList<>();
            for (int point = 1; point <= POINTS; point++) {
                steps.add((long) report * POINTS + point);
                values.add((double) report * POINTS + point);
            }
            story.add(new Observed(0, Observed.TRAINING_LOSS, 1, steps, values, values, 0));
        }
        story.add(TestingEpochs.epoch(1, 1000, 1, 1, 1, 3, 1, 1, null, "end"));
        story.add(new Outcome.Finished());
        return story;
    }

    /** Sends random sections of the story until the service accepts its end. */
    private static void tell(
            TestingAgent agent,
            Assignment part,
            List<AgentEvent> story,
            Random random,
            Set<Integer> statuses) {
        boolean isComplete = false;
        while (!isComplete) {
            int from = random.nextInt(story.size());
            int to = Math.min(story.size(), from + 1 + random.nextInt(MAX_LENGTH));
            int status =
                    agent.send(
                                    part,
                                    part.generation(),
                                    from + 1,
                                    story.subList(from, to).toArray(AgentEvent[]::new))
                            .status();
            statuses.add(status / 100 * 100);
            isComplete = to == story.size() && status / 100 == 2;
        }
    }

    /** Sends the story from several threads, and returns the classes of the answers' statuses. */
    private Set<Integer> tell(TestingAgent agent, Assignment part, List<AgentEvent> story) {
        Set<Integer> statuses = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            Random random = new Random(sender);
            all.add(senders.submit(() -> tell(agent, part, story, random, statuses)));
        }
        assertThat(all).allSatisfy(it -> assertThat(it).succeedsWithin(PATIENCE));
        return statuses;
    }

    /** Each size has a rough point and then a refined one, which replaces it. */
    private static List<AgentEvent> story(Assignment.Profiling profiling) {
        List<AgentEvent> story = new ArrayList<>();
        for (Assignment.Measurement measurement : profiling.measurements()) {
            for (int size : ((Points.Fixed) measurement.points()).sizes()) {
                story.add(point(measurement, new MeasuredPoint(size, size * 0.75, 5, 0.5, 0.5)));
                story.add(point(measurement, new MeasuredPoint(size, size * 0.5, 5, 0, 0)));
            }
        }
        story.add(new Outcome.Finished());
        return story;
    }

    private static AgentEvent point(Assignment.Measurement measurement, MeasuredPoint point) {
        return new ProfileReport.PointMeasured(measurement.kernel(), point);
    }

    @Test
    void repeatedAndReorderedProfileReportsAreAppliedOnceInOrder() {
        TestingAgent agent = lab.agents(1).getFirst();
        String id =
                lab.administrator()
                        .post(
                                "/workers/" + agent.id() + "/profiles",
                                Map.of("network", "mnist-cnn"))
                        .expect(202)
                        .path("id")
                        .stringValue();
        Assignment.Profiling part = agent.profiling();

        Set<Integer> statuses = tell(agent, part, story(part));

        assertThat(statuses).contains(200).isSubsetOf(200, 400);
        JsonNode profile = lab.administrator().get("/profiles/" + id).expect(200);
        assertThat(profile.path("state").stringValue()).isEqualTo("COMPLETE");
        for (JsonNode point : profile.at("/curves/0/points")) {
            assertThat(point.path("meanSeconds").doubleValue())
                    .as("the refined point")
                    .isEqualTo(point.path("size").intValue() * 0.5);
        }
    }

    /** The service rejects a link that is reported twice, so each event is taken once. */
    @Test
    void repeatedAndReorderedLinkReportsAreAppliedOnceInOrder() {
        List<TestingAgent> agents = lab.agents(LINKED);
        String id =
                lab.administrator()
                        .post(
                                "/links/measurements",
                                Map.of("workers", agents.stream().map(TestingAgent::id).toList()))
                        .expect(202)
                        .path("id")
                        .stringValue();

        for (TestingAgent agent : agents) {
            Assignment.LinkProfiling part = (Assignment.LinkProfiling) agent.work();
            List<AgentEvent> story = new ArrayList<>();
            if (part.rank() == 0) {
                for (int low = 0; low < LINKED; low++) {
                    for (int high = low + 1; high < LINKED; high++) {
                        story.add(
                                new LinkReport.LinkMeasured(
                                        new MeasuredLink(low, high, 0.25, 0.125, 0.5)));
                    }
                }
                story.add(
                        new LinkReport.AllReduceMeasured(
                                new MeasuredAllReduce(Topology.Algorithm.RING, 2, 1000, 0.25)));
            }
            story.add(new Outcome.Finished());
            assertThat(tell(agent, part, story)).contains(200).isSubsetOf(200, 400);
        }

        JsonNode measurement = lab.administrator().get("/links/measurements/" + id).expect(200);
        assertThat(measurement.path("state").stringValue()).isEqualTo("COMPLETE");
    }

    @Test
    void repeatedAndReorderedReportsAreAppliedOnceInOrder() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment part = agent.work();

        assertThat(tell(agent, part, story()))
                .as("some reports arrived too early")
                .containsExactlyInAnyOrder(200, 400);
        JsonNode view = project.run(run);
        assertThat(view.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(view.path("epochs")).hasSize(1);
        JsonNode losses =
                project.member().get("/runs/" + run + "/metrics").expect(200).at("/items/0");
        assertThat(losses.path("points").intValue()).isEqualTo(REPORTS * POINTS);
        assertThat(losses.path("lastStep").intValue()).isEqualTo(REPORTS * POINTS);
        assertThat(
                        project.member()
                                .get("/runs/" + run + "/events?limit=500")
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .filter(it -> it.at("/event/type").stringValue().equals("metrics"))
                                .map(it -> it.at("/event/steps/0").intValue()))
                .as("in the order of the reports")
                .isSorted()
                .doesNotHaveDuplicates();
    }
}
