package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Registration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelChangesTest {

    private static final Map<String, String> REPORTED = Map.of("rack", "a", "room", "west");

    private static Map<String, @Nullable String> change(String name, @Nullable String value) {
        Map<String, @Nullable String> change = new HashMap<>();
        change.put(name, value);
        return change;
    }

    @Test
    void changesSetAndRemoveLabels() {
        var changes = LabelChanges.merge(REPORTED, change("rack", null), change("gpu", "none"));

        assertThat(LabelChanges.apply(REPORTED, changes))
                .containsExactlyInAnyOrderEntriesOf(Map.of("room", "west", "gpu", "none"));
    }

    @Test
    void changeToTheReportedValueEndsTheChange() {
        assertThat(LabelChanges.merge(REPORTED, change("rack", "b"), change("rack", "a")))
                .isEmpty();
        assertThat(LabelChanges.merge(REPORTED, change("gpu", "none"), change("gpu", null)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb"})
    void namesAndValuesAreTexts(String text) {
        assertThatThrownBy(() -> LabelChanges.merge(REPORTED, Map.of(), change("rack", text)))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> LabelChanges.merge(REPORTED, Map.of(), change(text, "a")))
                .isInstanceOf(Problem.class);
    }

    @Test
    void numberOfChangesIsLimited() {
        Map<String, @Nullable String> many =
                IntStream.rangeClosed(0, Registration.MAX_LABELS)
                        .boxed()
                        .collect(Collectors.toMap(it -> "label-" + it, _ -> "x"));

        assertThatThrownBy(() -> LabelChanges.merge(REPORTED, Map.of(), many))
                .isInstanceOf(Problem.class);
    }
}
