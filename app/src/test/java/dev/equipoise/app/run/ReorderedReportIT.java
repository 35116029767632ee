package dev.equipoise.app.run;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void repeatedAndReorderedReportsAreAppliedOnceInOrder() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment part = agent.work();
        List<AgentEvent> story = story();
        Set<Integer> statuses = ConcurrentHashMap.newKeySet();

        List<Future<?>> all = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            Random random = new Random(sender);
            all.add(senders.submit(() -> tell(agent, part, story, random, statuses)));
        }

        assertThat(all).allSatisfy(it -> assertThat(it).succeedsWithin(PATIENCE));
        assertThat(statuses)
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
