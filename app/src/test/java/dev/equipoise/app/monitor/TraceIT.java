package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class TraceIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    TraceIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "traced", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
         "workers": {"replicas": 2}%s}
        """
                .formatted(more);
    }

    /** Creates contiguous slices from a moment on, in nanoseconds. */
    private static Traced traced(
            int rank, int epoch, Strand strand, long begun, int slices, long dropped) {
        return new Traced(
                rank,
                epoch,
                strand,
                Collections.nCopies(slices, Phase.COMPUTE),
                LongStream.range(0, slices).map(i -> begun + 1_500 * i).boxed().toList(),
                Collections.nCopies(slices, 1_500L),
                dropped);
    }

    private static AgentEvent ready(int rank) {
        return new RunReport.ReplicaReady(rank, 0.002, "start");
    }

    private Answer trace(String run) {
        return project.member().get("/runs/" + run + "/trace");
    }

    /** Returns the slices by thread, in the order that the format requires. */
    private static Threads slices(JsonNode trace) {
        assertThat(trace.path("displayTimeUnit").stringValue()).isEqualTo("ms");
        Map<Integer, List<JsonNode>> threads = new HashMap<>();
        int process = trace.at("/traceEvents/0/pid").intValue();
        for (JsonNode event : trace.path("traceEvents")) {
            assertThat(event.path("pid").intValue()).isEqualTo(process);
            assertThat(event.path("tid").isIntegralNumber()).isTrue();
            assertThat(event.path("name").stringValue()).isNotBlank();
            if (event.path("ph").stringValue().equals("X")) {
                threads.computeIfAbsent(event.path("tid").intValue(), _ -> new ArrayList<>())
                        .add(event);
            } else {
                assertThat(event.path("ph").stringValue()).isEqualTo("M");
                assertThat(event.at("/args/name").stringValue()).isNotBlank();
            }
        }
        threads.values().forEach(TraceIT::assertContiguous);
        return new Threads(threads);
    }

    private record Threads(Map<Integer, List<JsonNode>> slices) {

        List<JsonNode> get(int thread) {
            return slices.getOrDefault(thread, List.of());
        }
    }

    private static void assertContiguous(List<JsonNode> slices) {
        long over = 0;
        for (JsonNode slice : slices) {
            assertThat(nanos(slice, "ts")).isGreaterThanOrEqualTo(over);
            assertThat(nanos(slice, "dur")).isNotNegative();
            over = nanos(slice, "ts") + nanos(slice, "dur");
        }
    }

    private static long nanos(JsonNode slice, String name) {
        assertThat(slice.path(name).isNumber()).isTrue();
        return slice.path(name).decimalValue().movePointRight(3).longValueExact();
    }

    private static List<String> names(JsonNode trace) {
        return trace.path("traceEvents")
                .valueStream()
                .filter(event -> event.path("ph").stringValue().equals("M"))
                .map(event ->
                        "%d: %s"
                                .formatted(
                                        event.path("tid").intValue(),
                                        event.at("/args/name").stringValue()))
                .toList();
    }

    @Test
    void traceHasTwoThreadsForEachRank() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(", \"trace\": true"));
        Assignment.Training first = agents.get(0).training();
        Assignment.Training second = agents.get(1).training();
        assertThat(first.plan().observation().trace()).isTrue();
        agents.get(0).tell(first, ready(0), traced(0, 1, Strand.MAIN, 0, 5_000, 0));
        agents.get(1).tell(second, ready(1), traced(1, 1, Strand.MAIN, -2_000, 3, 0));
        agents.get(1).tell(second, traced(1, 1, Strand.BACKGROUND, 700, 2, 0));
        agents.get(0).tell(first, traced(0, 1, Strand.MAIN, 7_500_000, 1, 40));
        agents.get(0).tell(first, traced(0, 2, Strand.MAIN, 9_000_000, 0, 2));

        Answer answer = trace(run);

        JsonNode trace = answer.expect(200);
        assertThat(answer.headers().getContentDisposition().getFilename())
                .isEqualTo("run-%s-trace.json".formatted(run));
        assertThat(names(trace))
                .containsExactly(
                        "0: traced, run " + run,
                        "0: rank 0 on agent-0",
                        "1: rank 0 on agent-0, background",
                        "2: rank 1 on agent-1",
                        "3: rank 1 on agent-1, background");
        Threads slices = slices(trace);
        assertThat(slices.slices().keySet()).containsExactlyInAnyOrder(0, 2, 3);
        assertThat(slices.get(0)).hasSize(5_001);
        assertThat(nanos(slices.get(2).getFirst(), "ts")).isZero();
        assertThat(nanos(slices.get(3).getFirst(), "ts")).isEqualTo(2_700);
        JsonNode slice = slices.get(0).getFirst();
        assertThat(slice.path("name").stringValue()).isEqualTo("compute");
        assertThat(slice.path("ts").doubleValue()).isEqualTo(2);
        assertThat(slice.path("dur").doubleValue()).isEqualTo(1.5);
        assertThat(slice.at("/args/epoch").intValue()).isEqualTo(1);
        assertThat(trace.at("/otherData/droppedSlices").longValue()).isEqualTo(42);
        assertThat(trace.at("/otherData/run").stringValue()).isEqualTo(run);
    }

    @Test
    void workerOfAVirtualRunReportsTracesOfAllRanks() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        definition(
                                ", \"trace\": true, \"execution\": {\"kind\": \"virtual\","
                                        + " \"samplesPerSecond\": 1000}"));
        Assignment whole = agent.work();
        agent.tell(
                whole,
                ready(0),
                ready(1),
                traced(1, 1, Strand.MAIN, 0, 2, 0),
                traced(0, 1, Strand.MAIN, 0, 3, 0));

        JsonNode trace = trace(run).expect(200);

        assertThat(slices(trace).get(0)).hasSize(3);
        assertThat(slices(trace).get(2)).hasSize(2);
        assertThat(names(trace)).contains("2: rank 1 on agent-0");
    }

    @Test
    void traceWithoutReportsIsEmpty() {
        String run = project.submitOne(definition(", \"trace\": true"));

        assertThat(slices(trace(run).expect(200)).slices()).isEmpty();
    }

    @Test
    void runWithoutTraceRejectsTraceReports() {
        List<TestingAgent> agents = lab.agents(2);
        String run = project.submitOne(definition(""));
        Assignment.Training part = agents.get(0).training();

        assertThat(trace(run).problem(404, "not-traced").path("detail").stringValue())
                .isEqualTo(
                        "Run %s has no trace: submit it again with trace: true in its definition"
                                .formatted(run));
        assertThat(
                        agents.get(0)
                                .report(part, ready(0), traced(0, 1, Strand.MAIN, 0, 1, 0))
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .isEqualTo("rank 0 reported a trace, but the definition does not say trace: true");
    }

    @Test
    void traceOfAnotherProjectIsNotFound() {
        String run = project.submitOne(definition(", \"trace\": true"));

        lab.project().member().get("/runs/" + run + "/trace").problem(404, "not-found");
    }

    @Test
    void traceOfAnEpochBeyondTheLastIsRejected() {
        List<TestingAgent> agents = lab.agents(2);
        project.submitOne(definition(", \"trace\": true"));
        Assignment.Training part = agents.get(0).training();

        agents.get(0)
                .report(part, ready(0), traced(0, 3, Strand.MAIN, 0, 1, 0))
                .problem(400, "invalid-request");
    }
}
