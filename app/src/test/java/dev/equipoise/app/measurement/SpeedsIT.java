package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.MeasuredPoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Tests the comparison of the speeds of workers. */
@RunningService
class SpeedsIT {

    private final TestingLab lab;

    SpeedsIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private void profile(TestingAgent agent, double secondsPerSample) {
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);
        agent.measure(agent.profiling(), secondsPerSample);
    }

    private JsonNode speeds(String query) {
        return lab.administrator().get("/workers/speeds" + query).expect(200);
    }

    private static List<String> ids(JsonNode speeds) {
        return speeds.path("items")
                .valueStream()
                .map(it -> it.path("worker").stringValue())
                .toList();
    }

    @Test
    void workersAreListedByTheirSpeedAndThoseWithoutProfileLast() {
        List<TestingAgent> agents = lab.agents(3);
        profile(agents.get(1), 0.004);
        profile(agents.get(2), 0.002);

        JsonNode speeds = speeds("");

        assertThat(speeds.path("network").stringValue()).isEqualTo("mnist-cnn");
        assertThat(ids(speeds))
                .containsExactly(
                        agents.get(2).id().toString(),
                        agents.get(1).id().toString(),
                        agents.get(0).id().toString());
        JsonNode fastest = speeds.at("/items/0/measured");
        assertThat(fastest.path("samplesPerSecond").doubleValue()).isEqualTo(500);
        assertThat(fastest.path("low").doubleValue()).isEqualTo(500);
        assertThat(fastest.path("high").doubleValue()).isEqualTo(500);
        assertThat(fastest.path("batch").intValue()).isEqualTo(256);
        assertThat(fastest.path("hostLoad").intValue()).isEqualTo(100);
        assertThat(fastest.path("stale")).isEmpty();
        assertThat(speeds.at("/items/2/measured").isNull()).isTrue();
    }

    @Test
    void newestProfileCountsAndAnOldOneIsStale() {
        TestingAgent agent = lab.agents(1).getFirst();
        profile(agent, 0.004);
        lab.clock().advance(Duration.ofSeconds(1));
        agent.beat(List.of(agent)).expect(200);
        profile(agent, 0.002);

        JsonNode fresh = speeds("?network=mnist-cnn").at("/items/0/measured");
        lab.clock().advance(Duration.ofDays(8));
        agent.beat(List.of(agent)).expect(200);
        JsonNode old = speeds("").at("/items/0/measured");

        assertThat(fresh.path("samplesPerSecond").doubleValue()).isEqualTo(500);
        assertThat(fresh.path("stale")).isEmpty();
        assertThat(old.at("/stale/0").stringValue()).startsWith("measured before ");
    }

    @Test
    void labWithoutProfilesHasNoNetwork() {
        var _ = lab.agents(2);

        JsonNode speeds = speeds("");

        assertThat(speeds.path("network").isNull()).isTrue();
        assertThat(speeds.path("networks")).isEmpty();
        assertThat(speeds.path("items")).hasSize(2);
        assertThat(speeds("?network=mnist-cnn").at("/items/0/measured").isNull()).isTrue();
    }

    @Test
    void largestSizeThatMostWorkersHaveMeasuredIsCompared() {
        List<MeasuredPoint> small = points(8, 16);
        List<MeasuredPoint> middle = points(16, 32);
        List<MeasuredPoint> large = points(16, 32, 256);

        assertThat(WorkerSpeeds.commonSize(List.of(small, middle, large))).hasValue(16);
        assertThat(WorkerSpeeds.commonSize(List.of(middle, large))).hasValue(32);
        assertThat(WorkerSpeeds.commonSize(List.of())).isEmpty();
    }

    private static List<MeasuredPoint> points(Integer... sizes) {
        return List.of(sizes).stream()
                .map(size -> new MeasuredPoint(size, size * 0.5, 5, 0, 0))
                .toList();
    }
}
