package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Phase;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.AgentEvent.Traced;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunId;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunningService
class StoredFiguresIT {

    private static final int POINTS = 1_000;

    private final TestingLab lab;
    private final StoredFigures figures;

    StoredFiguresIT(@Autowired TestingLab lab, @Autowired StoredFigures figures) {
        this.lab = lab;
        this.figures = figures;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "stored", "dataset": {"name": "mnist", "limit": 10000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "trace": true}
            """;

    private static Observed losses() {
        List<Long> steps = LongStream.rangeClosed(1, POINTS).boxed().toList();
        List<Double> numbers = steps.stream().map(it -> 1.0 / (POINTS + 1 - it)).toList();
        return new Observed(0, Observed.TRAINING_LOSS, 1, steps, numbers, numbers, 0);
    }

    @Test
    void curvesTracesAndEventsOfAProjectsRunsAreCounted() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        RunId run = RunId.of(UUID.fromString(project.submitOne(DEFINITION)));
        Assignment.Training part = agent.training();
        agent.tell(part, new AgentEvent.ReplicaReady(0, 0, "start"));
        long before = bytes(project, run);

        agent.tell(part, losses());
        long withCurve = bytes(project, run);
        agent.tell(
                part,
                new Traced(
                        0,
                        1,
                        Strand.MAIN,
                        Collections.nCopies(POINTS, Phase.COMPUTE),
                        LongStream.range(0, POINTS).map(it -> it * it).boxed().toList(),
                        LongStream.range(0, POINTS).map(it -> it * it % 977).boxed().toList(),
                        0));

        assertThat(before).isPositive();
        assertThat(withCurve - before).isGreaterThan(POINTS * 10);
        assertThat(bytes(project, run) - withCurve).isGreaterThan(POINTS);
        assertThat(figures.bytes(UUID.fromString(lab.project().id()))).isEmpty();
    }

    private long bytes(TestingLab.Project project, RunId run) {
        return figures.bytes(UUID.fromString(project.id())).getOrDefault(run, 0L);
    }
}
