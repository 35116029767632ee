package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
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
        return LabelChanges.NONE.with(REPORTED, Map.of(name, value), Set.of());
    }

    @Test
    void changesSetAndRemoveLabels() {
        LabelChanges changes =
                LabelChanges.NONE.with(REPORTED, Map.of("gpu", "none"), Set.of("rack"));

        assertThat(changes.over(REPORTED))
                .containsExactlyInAnyOrderEntriesOf(Map.of("room", "west", "gpu", "none"));
        assertThat(changes.over(Map.of("rack", "b")))
                .as("of the next process of the agent")
                .containsExactly(Map.entry("gpu", "none"));
    }

    @Test
    void changeToTheReportedValueEndsTheChange() {
        assertThat(set("rack", "b").with(REPORTED, Map.of("rack", "a"), Set.of()))
                .isEqualTo(LabelChanges.NONE);
        assertThat(set("gpu", "none").with(REPORTED, Map.of(), Set.of("gpu")))
                .isEqualTo(LabelChanges.NONE);
        LabelChanges removed = LabelChanges.NONE.with(REPORTED, Map.of(), Set.of("rack"));
        assertThat(removed.with(REPORTED, Map.of("rack", "a"), Set.of()))
                .isEqualTo(LabelChanges.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb"})
    void namesAndValuesAreTexts(String text) {
        assertThatThrownBy(() -> set("rack", text)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> set(text, "a")).isInstanceOf(Problem.class);
    }

    @Test
    void labelIsNotSetAndRemovedAtOnce() {
        assertThatThrownBy(
                        () -> LabelChanges.NONE.with(REPORTED, Map.of("rack", "b"), Set.of("rack")))
                .isInstanceOf(Problem.class);
    }

    @Test
    void numberOfChangesIsLimited() {
        Map<String, String> many =
                IntStream.rangeClosed(0, Registration.MAX_LABELS)
                        .boxed()
                        .collect(Collectors.toMap(it -> "label-" + it, _ -> "x"));

        assertThatThrownBy(() -> LabelChanges.NONE.with(REPORTED, many, Set.of()))
                .isInstanceOf(Problem.class);
    }
}
