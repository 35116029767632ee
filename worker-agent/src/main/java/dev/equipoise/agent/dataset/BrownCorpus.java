package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Tagged Brown corpus: texts in the order of their names, one sentence a line, each word with its
 * tag behind a slash. Tags are dropped; case and punctuation stay.
 */
final class BrownCorpus {
    private static final Pattern NAME = Pattern.compile("(.*/)?(c[a-r][0-9]{2})");
    private static final int END = -1;

    private final Map<String, Integer> numbers = new HashMap<>();

    /** Words by number of first appearance; {@link #END} follows each sentence. */
    private int[] words = new int[1 << 20];

    private int size;
    private int sentences;
    private int trainingSize;

    private BrownCorpus() {}

    /** Reads all texts among the files; their names tell which they are. */
    static BrownCorpus of(Map<String, byte[]> files) {
        SortedMap<String, byte[]> texts = new TreeMap<>();
        files.forEach((path, content) -> {
            if (isText(path)) {
                texts.put(path.substring(path.lastIndexOf('/') + 1), content);
            }
        });
        BrownCorpus corpus = new BrownCorpus();
        texts.values().forEach(corpus::add);
        return corpus;
    }

    static boolean isText(String path) {
        return NAME.matcher(path).matches();
    }

    int sentences() {
        return sentences;
    }

    /** Counts words and punctuation marks. */
    int tokens() {
        return size - sentences;
    }

    DatasetSplit split(Brown spec) {
        int[] ranks = ranks(spec.vocabulary());
        return DatasetSplit.of(
                view(spec, text(0, trainingSize, ranks, spec.vocabulary())),
                view(spec, text(trainingSize, size, ranks, spec.vocabulary())));
    }

    private static Dataset view(Brown spec, TokenizedText text) {
        return switch (spec.view()) {
            case WINDOWS -> new WordWindows(text, spec.length());
            case SEQUENCES -> new WordSequences(text, spec.length());
        };
    }

    private void add(byte[] text) {
        new String(text, ISO_8859_1)
                .lines()
                .forEach(line -> {
                    StringTokenizer tokens = new StringTokenizer(line);
                    if (tokens.hasMoreTokens()) {
                        addSentence(tokens);
                    }
                });
    }

    private void addSentence(StringTokenizer tokens) {
        while (tokens.hasMoreTokens()) {
            String token = tokens.nextToken();
            int tag = token.lastIndexOf('/');
            append(number(tag < 0 ? token : token.substring(0, tag)));
        }
        append(END);
        sentences++;
        if (sentences == Brown.TRAINING_SENTENCES) {
            trainingSize = size;
        }
    }

    private int number(String word) {
        Integer known = numbers.putIfAbsent(word, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }

    private void append(int word) {
        if (size == words.length) {
            words = Arrays.copyOf(words, 2 * size);
        }
        words[size++] = word;
    }

    /**
     * Returns the vocabulary index of each word: by falling frequency, ties by first appearance.
     */
    private int[] ranks(int vocabulary) {
        int[] counts = new int[numbers.size()];
        for (int i = 0; i < trainingSize; i++) {
            if (words[i] != END) {
                counts[words[i]]++;
            }
        }
        int[] ranks = new int[counts.length];
        Arrays.fill(ranks, TokenizedText.UNKNOWN);
        List<Integer> kept =
                IntStream.range(0, counts.length)
                        .filter(word -> counts[word] > 0)
                        .boxed()
                        .sorted(Comparator.comparingInt((Integer word) -> -counts[word]))
                        .limit(vocabulary - TokenizedText.FIRST_WORD)
                        .toList();
        for (int i = 0; i < kept.size(); i++) {
            ranks[kept.get(i)] = TokenizedText.FIRST_WORD + i;
        }
        return ranks;
    }

    private TokenizedText text(int from, int to, int[] ranks, int vocabulary) {
        int[] text = new int[1 + to - from];
        text[0] = TokenizedText.BORDER;
        for (int i = from; i < to; i++) {
            text[1 + i - from] = words[i] == END ? TokenizedText.BORDER : ranks[words[i]];
        }
        return new TokenizedText(text, vocabulary);
    }
}
