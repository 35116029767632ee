package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.dataset.LetterWindows.Word;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NettalkTest {
    private static final NettalkCode CODE = NettalkCode.load();

    @Test
    void everyClassHasItsOwnCode() {
        TargetCode targets = CODE.targets();
        Set<List<Float>> codes = new HashSet<>();
        for (int label = 0; label < targets.classes(); label++) {
            codes.add(code(targets, label));
        }

        assertThat(CODE.size()).isEqualTo(PublishedDatasets.NETTALK.classes());
        assertThat(codes).hasSize(CODE.size());
    }

    @Test
    void everyPhonemeHasItsOwnFeatures() {
        Set<List<Float>> features = new HashSet<>();
        int phonemes = 0;
        for (char phoneme : "!#*+-@ACDEGIJKLMNORSTUWXYZ^abcdefghiklmnoprstuvwxyz".toCharArray()) {
            int label = anyClassOf(phoneme);
            assertThat(label).as("%s", phoneme).isNotEqualTo(NettalkCode.NONE);
            features.add(code(CODE.targets(), label).subList(0, 21));
            phonemes++;
        }

        assertThat(phonemes).isEqualTo(51);
        assertThat(features).hasSize(51);
    }

    @Test
    void nearestCodeOfACodeIsItself() {
        TargetCode targets = CODE.targets();
        for (int label = 0; label < targets.classes(); label++) {
            float[] outputs = new float[3 + targets.units()];
            for (int unit = 0; unit < targets.units(); unit++) {
                outputs[3 + unit] = 0.9f * targets.at(label, unit);
            }
            assertThat(targets.nearest(MemorySegment.ofArray(outputs), 3)).isEqualTo(label);
        }
        assertThat(
                        new TargetCode.OneHot(3)
                                .nearest(MemorySegment.ofArray(new float[] {1, 3, 2}), 0))
                .isOne();
    }

    @Test
    void windowHasSevenLettersAndBlanksBeyondTheWord() {
        Dataset windows =
                LetterWindows.of(
                        List.of(new Word("ab", List.of(5, 6)), new Word("z", List.of(7))), 163);
        var minibatch = TestingDatasets.read(windows, 1, 2);

        assertThat(windows.size()).isEqualTo(3);
        assertThat(minibatch.labels()).containsExactly(6, 7);
        assertThat(ones(minibatch.values().toArray(JAVA_FLOAT)))
                .containsExactly(26, 26, 0, 1, 26, 26, 26, 26, 26, 26, 25, 26, 26, 26);
    }

    @Test
    void firstPronunciationCountsAndMalformedLinesAreSkipped() {
        String text =
                "preface\n".repeat(10)
                        + "aback\txb@k-\t0>1<<\t0\n"
                        + "gunpowder\tg^npW-d-R\t0\t\n"
                        + "aback\t@b@k-\t0>1<<\t0\n";
        var content = new Content(Path.of("f"), text.getBytes(US_ASCII), Content.Origin.PUBLISHED);

        assertThat(new NettalkDictionary(content).words())
                .containsExactly(
                        new Word(
                                "aback",
                                List.of(
                                        CODE.classOf('x', '0'),
                                        CODE.classOf('b', '>'),
                                        CODE.classOf('@', '1'),
                                        CODE.classOf('k', '<'),
                                        CODE.classOf('-', '<'))));
    }

    private static int anyClassOf(char phoneme) {
        return "<>012"
                .chars()
                .map(stress -> CODE.classOf(phoneme, (char) stress))
                .max()
                .orElseThrow();
    }

    private static List<Float> code(TargetCode targets, int label) {
        return IntStream.range(0, targets.units())
                .mapToObj(unit -> targets.at(label, unit))
                .toList();
    }

    /** Returns the letter at each position. */
    private static int[] ones(float[] values) {
        assertThat(values).containsOnly(0, 1);
        return IntStream.range(0, values.length)
                .filter(i -> values[i] == 1)
                .map(i -> i % 29)
                .toArray();
    }
}
