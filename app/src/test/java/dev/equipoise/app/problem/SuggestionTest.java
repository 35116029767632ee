package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

    private static final List<String> FIELDS = List.of("batchSize", "epochs", "learningRate");

    @ParameterizedTest
    @CsvSource({
        "learnigRate, learningRate",
        "LEARNINGRATE, learningRate",
        "batch_size, batchSize",
        "epoch, epochs"
    })
    void mostSimilarWordIsSuggested(String written, String meant) {
        assertThat(Suggestion.after(written, FIELDS)).isEqualTo("; did you mean %s?", meant);
    }

    @ParameterizedTest
    @CsvSource({"momentum", "rate", "''"})
    void dissimilarWordGetsNoSuggestion(String written) {
        assertThat(Suggestion.after(written, FIELDS)).isEmpty();
    }

    @Test
    void longWordIsNotCompared() {
        assertThat(Suggestion.after("epochs".repeat(11), List.of("epochs".repeat(11)))).isEmpty();
    }

    @Test
    void firstOfEquallySimilarWordsIsSuggested() {
        assertThat(Suggestion.after("seet", List.of("seed", "sees")))
                .isEqualTo("; did you mean seed?");
    }

    @Test
    void ruleOfAnUnknownWordEndsWithAllKnownOnes() {
        assertThat(Suggestion.unknown("field", "epocs", FIELDS))
                .isEqualTo(
                        "is not a field; did you mean epochs? The fields here are [batchSize,"
                                + " epochs, learningRate]");
        assertThat(Suggestion.unknown("parameter", "color", FIELDS))
                .isEqualTo(
                        "is not a parameter; the parameters here are [batchSize, epochs,"
                                + " learningRate]");
    }
}
