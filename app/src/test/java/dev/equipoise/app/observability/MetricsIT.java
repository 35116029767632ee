package dev.equipoise.app.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.run.EpochReported;
import dev.equipoise.app.run.RankLost;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunReconfigured;
import dev.equipoise.app.run.RunRestarted;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@RunningService
class MetricsIT {

    /** Rounding of the sums that all tests of this service have counted. */
    private static final Offset<Double> ROUNDING = within(1e-9);

    private static final String ALONE =
            """
            {"apiVersion": "equipoise/v1", "name": "alone", "dataset": {"name": "mnist", "limit": 60},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 1}}
            """;

    private final TestingLab lab;
    private final ApplicationEventPublisher events;
    private final TransactionTemplate transaction;

    MetricsIT(
            @Autowired TestingLab lab,
            @Autowired ApplicationEventPublisher events,
            @Autowired PlatformTransactionManager transactions) {
        this.lab = lab;
        this.events = events;
        this.transaction = new TransactionTemplate(transactions);
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Reads the metrics of the service by name and labels. */
    private Map<String, Double> metrics() {
        Map<String, Double> values = new HashMap<>();
        lab.administrator()
                .rootText("/actuator/prometheus")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int end = line.lastIndexOf(' ');
                    values.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
                });
        return values;
    }

    private double value(String metric) {
        Map<String, Double> all = metrics();
        assertThat(all).containsKey(metric);
        return all.getOrDefault(metric, Double.NaN);
    }

    @Test
    void eventsOfRunsAreCounted() {
        Map<String, Double> before = metrics();

        TestingHistory history = TestingHistory.in(lab);

        Map<String, Double> after = metrics();
        assertThat(increase(before, after, "equipoise_placements_total")).isEqualTo(2);
        assertThat(increase(before, after, "equipoise_placement_seconds_count")).isEqualTo(2);
        assertThat(
                        increase(
                                before,
                                after,
                                "equipoise_runs_ended_total{cause=\"none\",state=\"completed\"}"))
                .isEqualTo(2);
        // Two runs of two epochs on two ranks.
        assertThat(increase(before, after, "equipoise_phase_seconds_total{phase=\"compute\"}"))
                .isCloseTo(8, ROUNDING);
        assertThat(increase(before, after, "equipoise_phase_seconds_total{phase=\"transfer\"}"))
                .isCloseTo(8 * 0.25, ROUNDING);
        assertThat(increase(before, after, "equipoise_bytes_total{kind=\"gradient\"}"))
                .isEqualTo(4 * (1000.0 + 2000.0));
        assertThat(after.keySet())
                .noneMatch(it -> it.contains(history.runs().getFirst()))
                .noneMatch(it -> it.contains(history.project().id()))
                .anyMatch(it ->
                        it.startsWith("http_server_requests_seconds_count{")
                                && it.contains("/api/v1/runs/{id}"))
                .anyMatch(it ->
                        it.startsWith("http_server_requests_seconds_count{")
                                && it.contains("/api/v1/agents/{id}/lease"))
                .anyMatch(it -> it.startsWith("hikaricp_connections_active"))
                .anyMatch(it -> it.startsWith("jvm_memory_used_bytes"));
    }

    private static double increase(
            Map<String, Double> before, Map<String, Double> after, String metric) {
        assertThat(after).containsKey(metric);
        return after.getOrDefault(metric, 0.0) - before.getOrDefault(metric, 0.0);
    }

    private static RunEnded.Facts facts() {
        return new RunEnded.Facts(
                UUID.randomUUID(),
                "counted",
                0,
                "counted #1",
                List.of(),
                "no-room",
                "no worker has room",
                null,
                null,
                Instant.EPOCH,
                null,
                Instant.EPOCH);
    }

    @Test
    void committedEventsAreCountedAndRolledBackOnesAreNot() {
        RunId run = RunId.of(UUID.randomUUID());
        UUID project = UUID.randomUUID();
        List<Object> facts =
                List.of(
                        new RunRestarted(run, project, 1, 0),
                        new RunReconfigured(run, 2),
                        new RankLost(run, 1, 0),
                        new RunEnded(
                                run, project, 2, RunState.FAILED, FailureCause.CAPACITY, facts()));
        Map<String, Double> before = metrics();

        transaction.executeWithoutResult(it -> {
            facts.forEach(events::publishEvent);
            it.setRollbackOnly();
        });
        Map<String, Double> rolledBack = metrics();
        transaction.executeWithoutResult(_ -> facts.forEach(events::publishEvent));
        Map<String, Double> committed = metrics();

        for (String counter :
                List.of(
                        "equipoise_setbacks_total",
                        "equipoise_regroups_total",
                        "equipoise_ranks_lost_total",
                        "equipoise_runs_ended_total{cause=\"capacity\",state=\"failed\"}")) {
            assertThat(increase(before, rolledBack, counter)).as(counter).isZero();
            assertThat(increase(before, committed, counter)).as(counter).isEqualTo(1);
        }
    }

    @Test
    void epochsLongerThanAYearAreNotCounted() {
        RunId run = RunId.of(UUID.randomUUID());
        Map<String, Double> before = metrics();

        transaction.executeWithoutResult(_ -> {
            events.publishEvent(new EpochReported(run, epoch(1e30), false));
            events.publishEvent(new EpochReported(run, epoch(2.5), false));
        });

        assertThat(increase(before, metrics(), "equipoise_phase_seconds_total{phase=\"wait\"}"))
                .isCloseTo(2.5, ROUNDING);
    }

    private static EpochFinished epoch(double waitSeconds) {
        return TestingEpochs.epoch(1, 100, 1, 1, waitSeconds, waitSeconds, 100, 0.5, null, "p");
    }

    @Test
    void gaugesShowQueueAndWorkersOfTheDatabase() {
        await().untilAsserted(() ->
                assertThat(value("equipoise_queue_runs{state=\"waiting\"}")).isZero());
        lab.project().submitOne(ALONE);
        await().untilAsserted(() -> {
            assertThat(value("equipoise_queue_runs{state=\"waiting\"}")).isEqualTo(1);
            assertThat(value("equipoise_runs{state=\"queued\"}")).isEqualTo(1);
            assertThat(value("equipoise_queue_oldest_seconds")).isNotNaN().isNotNegative();
        });
        double idle = value("equipoise_workers{state=\"joining\"}");
        lab.join("newcomer");
        await().untilAsserted(() ->
                assertThat(value("equipoise_workers{state=\"joining\"}")).isEqualTo(idle + 1));
    }
}
