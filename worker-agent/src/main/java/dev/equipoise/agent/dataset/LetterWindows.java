package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.dataset.DatasetSpec.Nettalk;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Vector;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** Words that move through a window, letter by letter; each letter is one of 29 inputs. */
final class LetterWindows implements LabelledSamples.Values {
    private static final Shape SHAPE = new Vector(Nettalk.WINDOW * Nettalk.LETTERS);
    private static final int SIDE = Nettalk.WINDOW / 2;

    /** Behind the 26 letters; the comma and the period, which no word has, are the last two. */
    private static final byte BLANK = 26;

    /** The words with blanks between them, as many as a window sees beyond a word. */
    private final byte[] letters;

    private final int[] centres;

    private LetterWindows(byte[] letters, int[] centres) {
        this.letters = letters;
        this.centres = centres;
    }

    /** A word of the letters a to z, and the class of each letter. */
    record Word(String letters, List<Integer> labels) {}

    static Dataset of(List<Word> words, int classes) {
        int samples = words.stream().mapToInt(word -> word.labels().size()).sum();
        byte[] letters = new byte[SIDE + samples + SIDE * words.size()];
        int[] centres = new int[samples];
        int[] labels = new int[samples];
        Arrays.fill(letters, BLANK);
        int place = SIDE;
        int sample = 0;
        for (Word word : words) {
            for (int i = 0; i < word.labels().size(); i++) {
                letters[place] = (byte) (word.letters().charAt(i) - 'a');
                centres[sample] = place++;
                labels[sample++] = word.labels().get(i);
            }
            place += SIDE;
        }
        return new LabelledSamples(SHAPE, classes, labels, new LetterWindows(letters, centres));
    }

    @Override
    public void write(int sample, MemorySegment into, long at) {
        into.asSlice(at * Float.BYTES, (long) SHAPE.size() * Float.BYTES).fill((byte) 0);
        for (int place = 0; place < Nettalk.WINDOW; place++) {
            int letter = letters[centres[sample] - SIDE + place];
            into.setAtIndex(JAVA_FLOAT, at + (long) place * Nettalk.LETTERS + letter, 1);
        }
    }
}
