package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Registration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelChangesTest {

    private static final Map<String, String> REPORTED = Map.of("rack", "a", "room", "west");

    private static LabelChanges set(String name, String value) {
        return LabelChanges.NONE.with(Map.of(name, value), Set.of());
    }

    @Test
    void changesSetAndRemoveLabels() {
        LabelChanges changes = LabelChanges.NONE.with(Map.of("gpu", "none"), Set.of("rack"));

        assertThat(changes.over(REPORTED))
                .containsExactlyInAnyOrderEntriesOf(Map.of("room", "west", "gpu", "none"));
        assertThat(changes.over(Map.of("rack", "b")))
                .as("of the next process of the agent")
                .containsExactly(Map.entry("gpu", "none"));
    }

    @Test
    void changeToTheReportedValueOutlivesTheProcess() {
        assertThat(set("rack", "a").over(Map.of("rack", "b")))
                .containsExactly(Map.entry("rack", "a"));
        assertThat(LabelChanges.NONE.with(Map.of(), Set.of("gpu")).over(Map.of("gpu", "none")))
                .isEmpty();
    }

    @Test
    void laterChangeReplacesTheEarlierOneOfTheSameLabel() {
        LabelChanges removed = set("rack", "b").with(Map.of(), Set.of("rack"));

        assertThat(removed).isEqualTo(new LabelChanges(Map.of(), Set.of("rack")));
        assertThat(removed.with(Map.of("rack", "c"), Set.of())).isEqualTo(set("rack", "c"));
    }

    @Test
    void pointerEscapesTheNameOfALabel() {
        assertThatThrownBy(() -> set("a/b~c", " "))
                .isInstanceOfSatisfying(
                        Problem.class,
                        it ->
                                assertThat(it.violations())
                                        .extracting(Violation::pointer)
                                        .containsExactly("/labels/a~1b~0c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb"})
    void namesAndValuesAreTexts(String text) {
        assertThatThrownBy(() -> set("rack", text)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> set(text, "a")).isInstanceOf(Problem.class);
    }

    @Test
    void labelIsNotSetAndRemovedAtOnce() {
        assertThatThrownBy(() -> LabelChanges.NONE.with(Map.of("rack", "b"), Set.of("rack")))
                .isInstanceOf(Problem.class);
    }

    @Test
    void numberOfChangesIsLimited() {
        Map<String, String> many =
                IntStream.rangeClosed(0, Registration.MAX_LABELS)
                        .boxed()
                        .collect(Collectors.toMap(it -> "label-" + it, _ -> "x"));

        assertThatThrownBy(() -> LabelChanges.NONE.with(many, Set.of()))
                .isInstanceOf(Problem.class);
    }
}
