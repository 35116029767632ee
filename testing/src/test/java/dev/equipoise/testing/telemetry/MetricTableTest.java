package dev.equipoise.testing.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTableTest {

    private static final String PAGE =
            """
            # Page

            | metric | type | unit | meaning |
            | --- | --- | --- | --- |
            | `other_total` | counter | things | a table of another heading |

            ### Service

            | setting | meaning |
            | --- | --- |
            | `a` | one |

            | metric | type | unit | meaning |
            | --- | --- | --- | --- |
            | `lab_runs{state,cause}` | gauge | runs | runs: `a` or `b` |
            | `lab_wait_seconds` | gauge | seconds | waiting time |
            | `jvm_threads` | gauge | threads | threads |
            | `jvm_*` | | | process |

            The end.

            ### Without a table

            ### Further service

            | metric | type | unit | meaning |
            | --- | --- | --- | --- |
            | `further_total` | counter | things | a table of a later heading |
            """;

    private static final MetricFamily RUNS = gauge("lab_runs", "cause", "state");
    private static final MetricFamily WAIT = gauge("lab_wait_seconds");
    private static final MetricFamily THREADS = gauge("jvm_threads");
    private static final MetricFamily MEMORY = gauge("jvm_memory_used_bytes", "area");

    private static MetricFamily gauge(String name, String... labels) {
        return new MetricFamily(name, "gauge", "text", Set.of(labels));
    }

    private static List<String> faults(MetricFamily... exposed) {
        return MetricTable.read(PAGE, "### Service").faults(List.of(exposed));
    }

    @Test
    void equalTableHasNoFaults() {
        assertThat(faults(RUNS, WAIT, THREADS, MEMORY)).isEmpty();
    }

    @Test
    void metricWithoutARowIsAFault() {
        assertThat(faults(RUNS, WAIT, THREADS, MEMORY, gauge("lab_ranks")))
                .containsExactly("lab_ranks has no row: add one");
    }

    @Test
    void rowWithoutAMetricIsAFault() {
        assertThat(faults(RUNS, WAIT, THREADS))
                .containsExactly("jvm_* is the name of no metric: remove its row");
        assertThat(faults(RUNS, WAIT, MEMORY))
                .containsExactly("jvm_threads is the name of no metric: remove its row");
    }

    @Test
    void otherTypeAndOtherLabelsAreFaults() {
        var ranks = new MetricFamily("lab_runs", "summary", "text", Set.of("state", "rank"));

        assertThat(faults(ranks, WAIT, THREADS, MEMORY))
                .containsExactly(
                        "lab_runs has the type \"summary\", but \"gauge\" in the table",
                        "lab_runs has the labels \"[rank, state]\", but \"[cause, state]\" in the"
                                + " table");
    }

    @Test
    void brokenRuleOfANamedMetricIsAFault() {
        var silent = new MetricFamily("lab_wait_seconds", "gauge", "", Set.of());

        assertThat(faults(RUNS, silent, THREADS, MEMORY))
                .containsExactly("lab_wait_seconds has no help text");
    }

    @ParameterizedTest
    @CsvSource({
        "lab_wait_seconds, runs, seconds",
        "lab_wait_seconds, '', seconds",
        "lab_runs, seconds, a number of things",
        "lab_runs, '', a number of things"
    })
    void unitThatTheNameDoesNotTellIsAFault(String name, String unit, String told) {
        String page =
                """
                ### Service
                | metric | type | unit | meaning |
                | --- | --- | --- | --- |
                | `%s` | gauge | %s | text |
                """
                        .formatted(name, unit);

        assertThat(MetricTable.read(page, "### Service").faults(List.of(gauge(name))))
                .containsExactly(
                        "%s has the unit \"%s\", but \"%s\" in the table"
                                .formatted(name, told, unit));
    }

    @ParameterizedTest
    @ValueSource(strings = {"### Agent", "### Serv", "### Without a table"})
    void missingTableIsRefused(String heading) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> MetricTable.read(PAGE, heading))
                .withMessageContaining("below \"%s\"", heading);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| name_without_code | gauge | runs | text |",
                "| `two`, `names` | gauge | runs | text |",
                "| `few_cells` | gauge |"
            })
    void unreadableRowIsRefused(String row) {
        String page =
                """
                ### Service
                | metric | type | unit | meaning |
                | --- | --- | --- | --- |
                %s
                """
                        .formatted(row);

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> MetricTable.read(page, "### Service"))
                .withMessageContaining(row);
    }
}
