package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.Minibatch;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenizedTextTest {

    /** Two sentences: 2 3 4 and 5. */
    private static final TokenizedText TEXT = new TokenizedText(new int[] {1, 2, 3, 4, 1, 5, 1}, 6);

    @Test
    void windowHasThePrecedingWordsOfTheSentence() {
        Dataset windows = new WordWindows(TEXT, 2);
        Minibatch minibatch = TestingDatasets.read(windows, 0, 1, 2, 3, 4, 5);

        assertThat(windows.size()).isEqualTo(6);
        assertThat(minibatch.labels()).containsExactly(2, 3, 4, 1, 5, 1);
        assertThat(minibatch.tokens())
                .as("the words two positions before, and then the words right before")
                .containsExactly(1, 1, 2, 3, 1, 1, 1, 2, 3, 4, 1, 5);
    }

    @Test
    void sequenceCrossesSentenceBorders() {
        Dataset sequences = new WordSequences(TEXT, 3);
        Minibatch minibatch = TestingDatasets.read(sequences, 1, 0);

        assertThat(sequences.size()).isEqualTo(2);
        assertThat(sequences.positions()).isEqualTo(3);
        assertThat(minibatch.tokens()).containsExactly(4, 1, 1, 2, 5, 3);
        assertThat(minibatch.labels()).containsExactly(1, 2, 5, 3, 1, 4);
    }

    @Test
    void remainderAtTheEndIsDropped() {
        assertThat(new WordSequences(TEXT, 4).size()).isOne();
    }

    @Test
    void readsTheTextsOfTheCorpusInTheOrderOfTheirNames() {
        BrownCorpus corpus =
                BrownCorpus.of(
                        Map.of(
                                "brown/cb01", "\n\tdog/nn ./.\n\n".getBytes(US_ASCII),
                                "brown/ca02", "1/2/cd The/at\ncat/nn\n".getBytes(US_ASCII),
                                "brown/README", "no/text\n".getBytes(US_ASCII)));

        assertThat(corpus.sentences()).isEqualTo(3);
        assertThat(corpus.tokens()).isEqualTo(5);
    }
}
