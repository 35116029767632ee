package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Registration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelChangesTest {

    private static final Map<String, String> REPORTED = Map.of("rack", "a", "room", "west");

    private static LabelChanges set(String name, String value) {
        return LabelChanges.NONE.with(label(name, value));
    }

    /** Returns a change of one label; null removes it. */
    private static Map<String, @Nullable String> label(String name, @Nullable String value) {
        Map<String, @Nullable String> labels = new HashMap<>();
        labels.put(name, value);
        return labels;
    }

    @Test
    void changesSetAndRemoveLabels() {
        LabelChanges changes = set("gpu", "none").with(label("rack", null));

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
        assertThat(LabelChanges.NONE.with(label("gpu", null)).over(Map.of("gpu", "none")))
                .isEmpty();
    }

    @Test
    void laterChangeReplacesTheEarlierOneOfTheSameLabel() {
        LabelChanges removed = set("rack", "b").with(label("rack", null));

        assertThat(removed).isEqualTo(new LabelChanges(Map.of(), Set.of("rack")));
        assertThat(removed.with(label("rack", "c"))).isEqualTo(set("rack", "c"));
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
        assertThatThrownBy(() -> LabelChanges.NONE.with(label(text, null)))
                .isInstanceOf(Problem.class);
    }

    @Test
    void numberOfChangesIsLimited() {
        Map<String, @Nullable String> many = new HashMap<>();
        for (int i = 0; i <= Registration.MAX_LABELS; i++) {
            many.put("label-" + i, "x");
        }

        assertThatThrownBy(() -> LabelChanges.NONE.with(many)).isInstanceOf(Problem.class);
    }
}
