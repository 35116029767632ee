package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class PublishedFigureTest {

    private static final YAMLMapper YAML = YAMLMapper.builder().build();
    private static final Set<String> SCALES = Set.of("small");

    private static List<PublishedFigure> read(String yaml, Set<String> scales) {
        return PublishedFigure.read(YAML.readTree(yaml), scales);
    }

    @Test
    void figureHasAFormOverItsRuns() {
        PublishedFigure figure =
                read(
                                """
                                - what: time saved
                                  value: 25
                                  unit: "%"
                                  where: table 4
                                  ours:
                                    figure: trainingSeconds
                                    of: { name: ring, workers.replicas: 4 }
                                    against: { name: [server, other] }
                                    as: saved
                                """,
                                SCALES)
                        .getFirst();

        assertThat(figure.value()).isEqualTo(25);
        assertThat(figure.range()).isNull();
        assertThat(figure.because()).isNull();
        assertThat(figure.ours())
                .satisfies(ours -> {
                    assertThat(ours.figure()).isEqualTo(MeasuredFigure.Figure.TRAINING_SECONDS);
                    assertThat(ours.as()).isEqualTo(MeasuredFigure.Form.SAVED);
                    assertThat(ours.per()).isEqualTo(MeasuredFigure.Per.RUN);
                    assertThat(ours.over()).isNull();
                    assertThat(ours.of()).containsEntry("name", StringNode.valueOf("ring"));
                    assertThat(ours.against()).containsOnlyKeys("name");
                    assertThat(ours.isAt("small")).isTrue();
                });
    }

    @Test
    void figureWithoutRunsHasAReason() {
        List<PublishedFigure> figures =
                read(
                        """
                        - { what: a, range: [2, 3], unit: times, where: b, because: it is large }
                        """,
                        SCALES);

        assertThat(figures.getFirst().range()).containsExactly(2.0, 3.0);
        assertThat(figures.getFirst().ours()).isNull();
        assertThat(figures.getFirst().because()).isEqualTo("it is large");
    }

    @Test
    void formOfSomeScalesNeedsAReasonForTheOthers() {
        String yaml =
                """
                - what: a
                  value: 1
                  unit: s
                  where: b
                  ours: { figure: trainingSeconds, of: { name: c }, as: value, scales: [full] }
                """;

        assertThatThrownBy(() -> read(yaml, Set.of("small", "full")))
                .hasMessage("/published/0/because must be given");
        assertThat(read(yaml, Set.of("full")).getFirst().because()).isNull();
    }

    @Test
    void everyProblemIsReportedWithItsPointer() {
        assertThatThrownBy(() ->
                        read(
                                """
                                - { what: a, value: 1, range: [3, 2], unit: times, where: b, sinc: c }
                                - what: a
                                  unit: "%"
                                  where: b
                                  because: d
                                  ours:
                                    figure: speed
                                    of: {}
                                    against: { name: { a: 1 } }
                                    as: saved
                                    scales: [huge]
                                """,
                                SCALES))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(
                        "/published/0/value must not be given with a range",
                        "/published/0/range must have its minimum first",
                        "/published/0/because must be given",
                        "/published/0/sinc is not a field",
                        "/published/1/value must be given",
                        "/published/1/ours/figure must be one of",
                        "/published/1/ours/of must be an object of field paths and their values",
                        "/published/1/ours/against must have a value or a list of values",
                        "/published/1/ours/scales must be among [small]");
    }

    @ParameterizedTest
    @CsvSource({
        "trainingSeconds, ratio, s",
        "trainingSeconds, saved, points",
        "trainingSeconds, difference, points",
        "finalAccuracy, difference, '%'",
    })
    void formMustGiveThePublishedUnit(String figure, String form, String unit) {
        assertThatThrownBy(() ->
                        read(
                                """
                                - what: a
                                  value: 1
                                  unit: "%s"
                                  where: b
                                  ours:
                                    figure: %s
                                    of: { name: c }
                                    against: { name: d }
                                    as: %s
                                """
                                        .formatted(unit, figure, form),
                                SCALES))
                .hasMessage(
                        "/published/0/ours/as must give the unit of the published figure, which is"
                                + " \"%s\", but was %s".formatted(unit, form));
    }

    @Test
    void valueHasNothingToCompareWith() {
        assertThatThrownBy(() ->
                        read(
                                """
                                - what: a
                                  value: 1
                                  unit: s
                                  where: b
                                  ours: { figure: trainingSeconds, of: { name: c }, against: { name: d }, as: value }
                                """,
                                SCALES))
                .message()
                .startsWith("/published/0/ours/against must not be given for the form value");
    }
}
