package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class OverridesTest {

    private final JsonMapper json = JsonMapper.builder().build();

    private JsonNode applied(String definition, String... texts) {
        return Overrides.of(List.of(texts), json).applied((ObjectNode) json.readTree(definition));
    }

    @Test
    void valuesAreJsonOrWords() {
        assertThat(
                        applied(
                                "{\"training\": {\"epochs\": 9}, \"seeds\": [1, 2]}",
                                "training.epochs=2",
                                "topology.algorithm=halving-doubling",
                                "dataset.shuffle=true",
                                "seeds=[7]"))
                .isEqualTo(
                        json.readTree(
                                """
                                {"training": {"epochs": 2}, "seeds": [7],
                                 "topology": {"algorithm": "halving-doubling"},
                                 "dataset": {"shuffle": true}}
                                """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_data", "data/flowers", "v1.2", "2024_data", "../shared", "-"})
    void wordsMayHaveThePunctuationOfPaths(String word) {
        assertThat(applied("{}", "dataset.folder=" + word).at("/dataset/folder").asString())
                .isEqualTo(word);
    }

    @Test
    void shortFormOnThePathIsExpanded() {
        assertThat(applied("{\"synchronization\": \"local-sgd\"}", "synchronization.period=4"))
                .isEqualTo(
                        json.readTree(
                                """
                                {"synchronization": {"kind": "local-sgd", "period": 4}}
                                """));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"training.epochs", "=2", "training..epochs=2", "seeds=[1,", "a=", ".a=1"})
    void textWithoutPathAndValueIsRejected(String text) {
        assertThatThrownBy(() -> applied("{}", text))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "--set must be a field path, =, and a word or a JSON value, such as a=b or"
                                + " 'a=\"two words\"', but was "
                                + text);
    }

    @Test
    void everyMalformedTextIsReported() {
        UsageError wrong =
                catchThrowableOfType(UsageError.class, () -> applied("{}", "a", "b=1", "c"));

        assertThat(wrong.sentences()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"training.epochs=2", "topology.algorithm=ring", "seed=3"})
    void sweptFieldIsRejected(String text) {
        String swept =
                """
                {"matrix": {"training.epochs": [1, 2], "topology": ["all-reduce"]}, "seeds": [1]}
                """;

        assertThatThrownBy(() -> applied(swept, text))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("has no effect because the definition sweeps it");
    }

    @Test
    void sweepItselfCanBeOverridden() {
        assertThat(applied("{\"matrix\": {\"a\": [1, 2]}}", "matrix={}", "a=3"))
                .isEqualTo(json.readTree("{\"matrix\": {}, \"a\": 3}"));
    }
}
