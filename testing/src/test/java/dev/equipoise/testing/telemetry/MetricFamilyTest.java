package dev.equipoise.testing.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricFamilyTest {

    private static final String SCRAPE =
            """
            # HELP equipoise_bytes_total Bytes between ranks
            # TYPE equipoise_bytes_total counter
            equipoise_bytes_total{kind="control"} 1.0
            equipoise_bytes_total{kind="gradient"} 2.0E9
            # HELP equipoise_wait_seconds Waiting time
            # TYPE equipoise_wait_seconds histogram
            equipoise_wait_seconds_bucket{le="0.1"} 0
            equipoise_wait_seconds_bucket{le="+Inf"} 1
            equipoise_wait_seconds_count 1
            equipoise_wait_seconds_sum 3.5
            # HELP requests_seconds \s
            # TYPE requests_seconds summary
            requests_seconds_count{method="GET",uri="/runs/{id}, of=\\"all\\""} 1
            """;

    @Test
    void metricHasTypeHelpAndTheLabelsOfItsSeries() {
        assertThat(MetricFamily.read(SCRAPE))
                .containsExactly(
                        new MetricFamily(
                                "equipoise_bytes_total",
                                "counter",
                                "Bytes between ranks",
                                Set.of("kind")),
                        new MetricFamily(
                                "equipoise_wait_seconds", "histogram", "Waiting time", Set.of()),
                        new MetricFamily(
                                "requests_seconds", "summary", "", Set.of("method", "uri")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "# HELP a_total text\n# TYPE b_total counter\n",
                "# HELP a_total text\n# TYPE a_total counter\nb_total 1\n",
                "# HELP a_total text\n# TYPE a_total counter\na_total 1\n# EOF\n"
            })
    void otherFormatIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> MetricFamily.read(text));
    }

    @ParameterizedTest
    @CsvSource({
        "equipoise_runs, counter, text, equipoise_runs is a counter: the names of counters",
        "equipoise_runs_total, gauge, text, equipoise_runs_total is a gauge: the names of counters",
        "equipoise_wait_ms, gauge, text, equipoise_wait_ms is in no base unit",
        "equipoise_wait_minutes_total, counter, text, equipoise_wait_minutes_total is in no base",
        "equipoise_runs, gauge, '', equipoise_runs has no help text"
    })
    void brokenRuleIsAFault(String name, String type, String help, String sentence) {
        assertThat(new MetricFamily(name, type, help, Set.of()).faults())
                .singleElement()
                .asString()
                .startsWith(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "equipoise_phase_seconds_total, counter, seconds",
        "equipoise_wait_seconds_max, gauge, seconds",
        "equipoise_bytes_total, counter, bytes",
        "equipoise_queue_runs, gauge, ''"
    })
    void nameTellsTheUnit(String name, String type, String unit) {
        var family = new MetricFamily(name, type, "text", Set.of());

        assertThat(family.faults()).isEmpty();
        assertThat(family.unit().orElse("")).isEqualTo(unit);
    }
}
