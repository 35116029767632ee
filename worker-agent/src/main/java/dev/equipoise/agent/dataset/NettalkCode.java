package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.dataset.PublishedSpec.Nettalk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Code of NETtalk's classes, each of which is a phoneme with a stress: 21 features of the phoneme
 * and one unit for the stress.
 *
 * <p>The table follows the appendix of Sejnowski and Rosenberg 1987 (Complex Systems 1:145-168),
 * with the features from memory; unlike there, each stress symbol has one unit. It is this
 * product's own code and no copy of theirs.
 */
final class NettalkCode {
    /** Marks a pair of a phoneme and a stress that is no class. */
    static final int NONE = -1;

    private static final List<String> FEATURES =
            List.of(
                    "Front1",
                    "Front2",
                    "Central1",
                    "Central2",
                    "Back1",
                    "Back2",
                    "Stop",
                    "Nasal",
                    "Fricative",
                    "Affricative",
                    "Glide",
                    "Liquid",
                    "Voiced",
                    "Tensed",
                    "High",
                    "Medium",
                    "Low",
                    "Silent",
                    "Elide",
                    "Pause",
                    "FullStop");

    private static final String STRESSES = "<>012";
    private static final String END_OF_PREFACE = "---";
    private static final int ASCII = 128;

    private final List<float[]> vectors = new ArrayList<>();
    private final int[][] classes = new int[ASCII][ASCII];

    private NettalkCode(List<String> phonemes) {
        for (int[] ofPhoneme : classes) {
            Arrays.fill(ofPhoneme, NONE);
        }
        phonemes.forEach(this::add);
    }

    static NettalkCode load() {
        try (InputStream table = NettalkCode.class.getResourceAsStream("nettalk-code.txt");
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(Objects.requireNonNull(table), US_ASCII))) {
            return new NettalkCode(
                    lines.lines().dropWhile(line -> !line.equals(END_OF_PREFACE)).skip(1).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        List<String> fields = List.of(line.split(" "));
        char phoneme = fields.getFirst().charAt(0);
        for (char stress : fields.get(1).toCharArray()) {
            float[] vector = new float[Nettalk.TARGET_UNITS];
            fields.stream().skip(2).forEach(feature -> vector[FEATURES.indexOf(feature)] = 1);
            vector[FEATURES.size() + STRESSES.indexOf(stress)] = 1;
            classes[phoneme][stress] = vectors.size();
            vectors.add(vector);
        }
    }

    /** Returns the number of classes: pairs of a phoneme and a stress that occur. */
    int size() {
        return vectors.size();
    }

    /** Returns the class of a pair, or {@link #NONE}. */
    int classOf(char phoneme, char stress) {
        return phoneme < ASCII && stress < ASCII ? classes[phoneme][stress] : NONE;
    }

    TargetCode targets() {
        return TargetCode.of(vectors.toArray(float[][]::new));
    }
}
