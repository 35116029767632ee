package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.equipoise.agent.dataset.LetterWindows.Word;
import dev.equipoise.protocol.dataset.PublishedSpec.Nettalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NETtalk's dictionary: ten lines of preface, then one word a line with a phoneme and a stress for
 * each letter, separated by tabs. The first pronunciation of a word counts. The published file has
 * malformed lines, which are logged and skipped.
 */
final class NettalkDictionary {
    private static final Logger log = LoggerFactory.getLogger(NettalkDictionary.class);

    private static final int PREFACE = 10;
    private static final int FIELDS = 4;
    private static final long SPLIT_SEED = 1987;

    private final Content content;
    private final NettalkCode code = NettalkCode.load();
    private final Set<String> seen = new HashSet<>();

    NettalkDictionary(Content content) {
        this.content = content;
    }

    /** Splits the words in a fixed random order: the first train, the rest test. */
    DatasetSplit split() {
        List<Word> words = words();
        if (words.size() <= Nettalk.TRAINING_WORDS) {
            throw content.brokenIn(
                    PREFACE + words.size(),
                    "must hold more than %d words, but holds %d"
                            .formatted(Nettalk.TRAINING_WORDS, words.size()));
        }
        int[] order = Permutation.of(SPLIT_SEED, 0, words.size());
        return new DatasetSplit(
                windows(words, Arrays.stream(order).limit(Nettalk.TRAINING_WORDS)),
                windows(words, Arrays.stream(order).skip(Nettalk.TRAINING_WORDS)),
                code.targets());
    }

    private Dataset windows(List<Word> words, IntStream chosen) {
        return LetterWindows.of(chosen.mapToObj(words::get).toList(), code.size());
    }

    List<Word> words() {
        List<String> lines = new String(content.bytes(), ISO_8859_1).lines().toList();
        List<Word> words = new ArrayList<>();
        for (int i = PREFACE; i < lines.size(); i++) {
            Optional<Word> word = word(lines.get(i));
            if (word.isEmpty()) {
                log.warn(
                        "data set line skipped: {}, line {}: a word must have a phoneme and a"
                                + " stress for each letter, but the line is '{}'",
                        content.file(),
                        i + 1,
                        lines.get(i));
            }
            word.filter(it -> seen.add(it.letters())).ifPresent(words::add);
        }
        return words;
    }

    private Optional<Word> word(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS || !fields[0].matches("[a-z]+")) {
            return Optional.empty();
        }
        int length = fields[0].length();
        if (fields[1].length() != length || fields[2].length() != length) {
            return Optional.empty();
        }
        List<Integer> labels =
                IntStream.range(0, length)
                        .map(i -> code.classOf(fields[1].charAt(i), fields[2].charAt(i)))
                        .boxed()
                        .toList();
        return labels.contains(NettalkCode.NONE)
                ? Optional.empty()
                : Optional.of(new Word(fields[0], labels));
    }
}
