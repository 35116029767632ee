package dev.equipoise.app.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlConditionTest {

    private static SqlCondition translate(String text) {
        return SqlCondition.of(
                FilterParser.parse(
                        "?filter",
                        text,
                        TestingFields.CATALOG,
                        Instant.parse("2026-11-28T00:00:00Z")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "accuracy >= 0.9|\"testAccuracy\" >= :filter1",
                "accuracy != 0.9|((\"testAccuracy\" = :filter1) is not true)",
                "not accuracy > 0.9|((\"testAccuracy\" > :filter1) is not true)",
                "accuracy is missing|((\"testAccuracy\" is not null) is not true)",
                "tag = paper|:filter1 = any(\"tag\")",
                "tag is present|cardinality(\"tag\") > 0",
                "experiment ~ a|strpos(lower(\"experiment\"), lower(:filter1)) > 0",
                "experiment !~ a|((strpos(lower(\"experiment\"), lower(:filter1)) > 0) is not true)",
                "tag ~ a|exists (select 1 from unnest(\"tag\") as word where strpos(lower(word), lower(:filter1)) > 0)",
                "batchSize in (1, 2)|(\"training.batchSize\" = :filter1 or \"training.batchSize\" = :filter2)",
                "trace = true and (duration < 1 or duration > 2)|(\"trace\" = :filter1 and (\"duration\" < :filter2 or \"duration\" > :filter3))"
            })
    void conditionsBecomeSql(String text, String sql) {
        assertThat(translate(text).sql()).isEqualTo(sql);
    }

    @Test
    void labelsAreBindParametersToo() {
        SqlCondition condition = translate("\"workers.selector.a' or 1=1\" = west");

        assertThat(condition.sql().chars().filter(it -> it == '\'').count()).isZero();
        assertThat(condition.parameters()).containsValues("a' or 1=1", "west");
    }

    /** Whatever a text contains, the SQL depends on the structure of the filter alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "'; drop table run; --",
                "\\\" or true",
                ":filter2",
                "?",
                "{fn now()}",
                "/* */",
                "$$"
            })
    void textsNeverReachTheSql(String text) {
        SqlCondition condition = translate("experiment = \"%s\"".formatted(text));

        assertThat(condition.sql()).isEqualTo("\"experiment\" = :filter1");
        assertThat(condition.parameters()).hasSize(1);
    }

    @Test
    void parametersHaveTheTypesOfTheirFields() {
        assertThat(
                        translate("queuedAt < 2026-01-02 and batchSize = 1 or accuracy = 0.5")
                                .parameters())
                .isEqualTo(
                        Map.of(
                                "filter1",
                                OffsetDateTime.parse("2026-01-02T00:00:00Z"),
                                "filter2",
                                1L,
                                "filter3",
                                0.5));
    }
}
