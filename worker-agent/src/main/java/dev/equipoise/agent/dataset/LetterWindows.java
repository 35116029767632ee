package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.dataset.PublishedSpec.Nettalk;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Vector;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Windows over the letters of words, one sample for each letter; each letter is one of 29 inputs.
 */
final class LetterWindows implements LabeledSamples.Values {
    private static final Shape SHAPE = new Vector(Nettalk.WINDOW * Nettalk.LETTERS);
    private static final int SIDE = Nettalk.WINDOW / 2;

    /** Index behind the 26 letters; the last two, the comma and the period, occur in no word. */
    private static final byte BLANK = 26;

    /** Letters of all words, separated by as many blanks as a window sees beyond a word. */
    private final byte[] letters;

    private final int[] centers;

    private LetterWindows(byte[] letters, int[] centers) {
        this.letters = letters;
        this.centers = centers;
    }

    /** Word of the letters a to z, with the class of each letter. */
    record Word(String letters, List<Integer> labels) {}

    static Dataset of(List<Word> words, int classes) {
        int samples = words.stream().mapToInt(word -> word.labels().size()).sum();
        byte[] letters = new byte[SIDE + samples + SIDE * words.size()];
        int[] centers = new int[samples];
        int[] labels = new int[samples];
        Arrays.fill(letters, BLANK);
        int end = SIDE;
        int sample = 0;
        for (Word word : words) {
            for (int i = 0; i < word.labels().size(); i++) {
                letters[end] = (byte) (word.letters().charAt(i) - 'a');
                centers[sample] = end++;
                labels[sample++] = word.labels().get(i);
            }
            end += SIDE;
        }
        return new LabeledSamples(SHAPE, classes, labels, new LetterWindows(letters, centers));
    }

    @Override
    public void addTo(SampleDigest digest, int samples) {
        digest.add(letters, letters.length);
        digest.add(centers, samples);
    }

    /** Writes all numbers of a sample, since letters are not cropped. */
    @Override
    public void write(int sample, int from, int count, MemorySegment into, long at) {
        into.asSlice(at * Float.BYTES, (long) SHAPE.size() * Float.BYTES).fill((byte) 0);
        for (int position = 0; position < Nettalk.WINDOW; position++) {
            int letter = letters[centers[sample] - SIDE + position];
            into.setAtIndex(JAVA_FLOAT, at + (long) position * Nettalk.LETTERS + letter, 1);
        }
    }
}
