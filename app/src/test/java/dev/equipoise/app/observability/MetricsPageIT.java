package dev.equipoise.app.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.testing.telemetry.MetricFamily;
import dev.equipoise.testing.telemetry.MetricTable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Compares the metrics of the service in docs/observability.md with a scrape. */
@RunningService
class MetricsPageIT {

    private final TestingLab lab;

    MetricsPageIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    private String scrape() {
        return lab.administrator().rootText("/actuator/prometheus");
    }

    /** The timer of a request is registered after its response. */
    @Test
    void pageHasEveryMetricOfTheServiceWithTypeUnitAndLabels() {
        String scrape =
                await().until(this::scrape, it -> it.contains("http_server_requests_seconds_max{"));

        assertThat(
                        MetricTable.of("docs/observability.md", "### Metrics of the service")
                                .faults(MetricFamily.read(scrape)))
                .isEmpty();
    }
}
