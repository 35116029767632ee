package dev.equipoise.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.telemetry.MetricFamily;
import dev.equipoise.testing.telemetry.MetricTable;
import org.junit.jupiter.api.Test;

/** Compares the metrics of an agent in docs/observability.md with a scrape. */
class AgentMetricsPageTest {

    @Test
    void pageHasEveryMetricOfAnAgentWithTypeUnitAndLabels() {
        String scrape = new AgentMeters(new AgentStatus()).text();

        assertThat(
                        MetricTable.of("docs/observability.md", "### Metrics of an agent")
                                .faults(MetricFamily.read(scrape)))
                .isEmpty();
    }
}
