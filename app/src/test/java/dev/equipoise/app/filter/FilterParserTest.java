package dev.equipoise.app.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterParserTest {

    private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

    private static Condition parse(String text) {
        return FilterParser.parse("?filter", text, TestingFields.CATALOG, NOW);
    }

    private static FilterField field(String name) {
        return TestingFields.CATALOG.find(name).orElseThrow();
    }

    private static Condition compared(String field, Operator operator, Literal value) {
        return new Condition.Compared(field(field), operator, value);
    }

    private static List<String> violations(String text) {
        Problem problem = catchThrowableOfType(Problem.class, () -> parse(text));
        assertThat(problem).as(text).isNotNull();
        return problem.violations().stream().map(Violation::rule).toList();
    }

    @Test
    void conjunctionBindsTighterThanDisjunction() {
        Condition one = compared("testAccuracy", Operator.MORE, new Literal.Real(0.9));
        Condition two = compared("synchronization.kind", Operator.EQUAL, new Literal.Text("async"));
        Condition three = compared("trace", Operator.EQUAL, new Literal.Flag(true));

        assertThat(parse("accuracy > 0.9 and synchronization = async"))
                .isEqualTo(new Condition.And(List.of(one, two)));
        assertThat(parse("accuracy>90% OR synchronization=ASYNC AND trace=true"))
                .isEqualTo(new Condition.Or(List.of(one, new Condition.And(List.of(two, three)))));
        assertThat(parse("(accuracy > 0.9 or synchronization = async) and not trace = true"))
                .isEqualTo(
                        new Condition.And(
                                List.of(
                                        new Condition.Or(List.of(one, two)),
                                        new Condition.Not(three))));
    }

    @Test
    void listsAndPresenceAreTests() {
        assertThat(parse("tag in (paper, 'base line')"))
                .isEqualTo(
                        new Condition.OneOf(
                                field("tag"),
                                List.of(new Literal.Text("paper"), new Literal.Text("base line"))));
        assertThat(parse("batchSize not in (32, 64)"))
                .isEqualTo(
                        new Condition.Not(
                                new Condition.OneOf(
                                        field("training.batchSize"),
                                        List.of(new Literal.Whole(32), new Literal.Whole(64)))));
        assertThat(parse("accuracy is present"))
                .isEqualTo(new Condition.Present(field("testAccuracy")));
        assertThat(parse("accuracy is missing"))
                .isEqualTo(new Condition.Not(new Condition.Present(field("testAccuracy"))));
    }

    @Test
    void quotedTextsHaveAnyCharacter() {
        assertThat(parse("experiment = \"a \\\"b\\\" or (c)\""))
                .isEqualTo(
                        compared("experiment", Operator.EQUAL, new Literal.Text("a \"b\" or (c)")));
        assertThat(parse("experiment ~ 'and'"))
                .isEqualTo(compared("experiment", Operator.CONTAINS, new Literal.Text("and")));
        assertThat(parse("experiment = \u00fcber-2"))
                .isEqualTo(compared("experiment", Operator.EQUAL, new Literal.Text("\u00fcber-2")));
    }

    @Test
    void labelsAreFields() {
        assertThat(parse("workers.selector.room = west"))
                .isEqualTo(
                        new Condition.Compared(
                                field("workers.selector.room"),
                                Operator.EQUAL,
                                new Literal.Text("west")));
        assertThat(field("workers.selector.room").label()).isEqualTo("room");
    }

    @ParameterizedTest
    @CsvSource({
        "queuedAt > 2026-11-21, 2026-11-21T00:00:00Z",
        "queuedAt > 2026-11-21T10:00:00+02:00, 2026-11-21T08:00:00Z",
        "queuedAt > now-7d, 2026-11-21T00:00:00Z",
        "queuedAt > now-90m, 2026-11-27T22:30:00Z",
        "queuedAt > now, 2026-11-28T00:00:00Z"
    })
    void timesAreAbsoluteOrRelative(String text, String time) {
        assertThat(parse(text))
                .isEqualTo(
                        compared(
                                "queuedAt",
                                Operator.MORE,
                                new Literal.Moment(Instant.parse(time))));
    }

    @ParameterizedTest
    @CsvSource({
        "duration >= 90, 90",
        "duration >= 1.5h, 5400",
        "duration >= 250ms, 0.25",
        "duration >= 2d, 172800"
    })
    void durationsHaveUnits(String text, double seconds) {
        assertThat(parse(text))
                .isEqualTo(compared("duration", Operator.AT_LEAST, new Literal.Real(seconds)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "acuracy > 1|character 1, 'acuracy': is not a field; did you mean accuracy?",
                "order = x|character 1, 'order': is the end of several fields: write one of [synchronization.order, topology.order]",
                "colour = x|character 1, 'colour': is not a field",
                "synchronization = asinc|character 19, 'asinc': synchronization.kind must be one of [bsp, async]; did you mean async?",
                "accuracy ~ 1|character 10, '~': testAccuracy is a number and is compared by = != < <= > >=",
                "queuedAt = now|character 10, '=': queuedAt is a time and is compared by < <= > >=",
                "queuedAt in (now)|character 10, 'in': queuedAt is a time and is compared by < <= > >=",
                "accuracy > high|character 12, 'high': must be a number, such as 0.9, 1e-4 or 90%",
                "id = 7|character 6, '7': must be a UUID",
                "trace = yes|character 9, 'yes': must be true or false",
                "queuedAt > soon|character 12, 'soon': must be a time, such as 2026-11-22, 2026-11-22T10:00:00Z or now-7d",
                "accuracy|character 9, the end: expected =, !=, <, <=, >, >=, ~, !~, in, not in, or is",
                "accuracy >|character 11, the end: expected a value; put such a word in quotes",
                "accuracy == 1|character 11, '=': expected a value; equality is one =",
                "experiment = and|character 14, 'and': expected a value; put such a word in quotes",
                "accuracy > 1 && trace = true|character 14, '&': write and",
                "accuracy > 1 trace = true|character 14, 'trace': expected and, or, or the end",
                "(accuracy > 1|character 14, the end: expected and, or, or )",
                "tag in ()|character 9, ')': expected a value; put such a word in quotes",
                "tag in (a b)|character 11, 'b': expected , or )",
                "tag is there|character 8, 'there': expected present or missing",
                "and|character 1, 'and': expected a field, not, or (",
                "experiment = \"a|character 14, '\"': the quoted text has no end",
                "experiment = a;b|character 15, ';': is not a character of a filter outside quotes: put texts in quotes",
                "accuracy > 1e999|character 12, '1e999': must be finite"
            })
    void errorsTellPlaceAndReason(String text, String violation) {
        assertThat(violations(text)).containsExactly(violation);
    }

    @Test
    void allUnknownFieldsAndWrongValuesAreReportedTogether() {
        assertThat(violations("acuracy > 1 and trace = perhaps or sate = QUEUED and"))
                .hasSize(4)
                .first()
                .isEqualTo("character 1, 'acuracy': is not a field; did you mean accuracy?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not ", "("})
    void nestingIsBounded(String opening) {
        String closing = opening.equals("(") ? ")" : "";

        assertThat(parse(opening.repeat(20) + "accuracy > 1" + closing.repeat(20))).isNotNull();
        assertThat(violations(opening.repeat(21) + "accuracy > 1"))
                .singleElement()
                .asString()
                .endsWith("not and ( may be nested at most 20 deep");
    }

    @Test
    void lengthAndNumberOfValuesAreBounded() {
        String values = String.join(", ", Collections.nCopies(201, "1"));

        assertThat(violations("accuracy in (" + values + ")"))
                .singleElement()
                .asString()
                .endsWith("a filter has at most 200 values");
        assertThat(violations(" ".repeat(2001)))
                .containsExactly("must have at most 2000 characters");
    }

    @Test
    void textThatNoDatabaseStoresIsRejected() {
        assertThat(violations("experiment = '\0'"))
                .containsExactly("must not contain the character NUL (U+0000)");
    }

    @Test
    void blankTextIsNoFilter() {
        assertThat(FilterParser.parseIfPresent("?filter", " ", TestingFields.CATALOG, NOW))
                .isNull();
        assertThat(FilterParser.parseIfPresent("?filter", null, TestingFields.CATALOG, NOW))
                .isNull();
    }
}
