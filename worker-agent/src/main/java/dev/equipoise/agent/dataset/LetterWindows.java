package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.DatasetSpec.Nettalk;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Vector;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Words that move through a window, letter by letter; each letter is one of 29 inputs. */
final class LetterWindows implements Dataset {
    private static final Shape SHAPE = new Vector(Nettalk.WINDOW * Nettalk.LETTERS);
    private static final int SIDE = Nettalk.WINDOW / 2;

    /** Behind the 26 letters; the comma and the period, which no word has, are the last two. */
    private static final byte BLANK = 26;

    private final int classes;

    /** The words with blanks between them, as many as a window sees beyond a word. */
    private final byte[] letters;

    private final int[] centres;
    private final int[] labels;

    private LetterWindows(int classes, byte[] letters, int[] centres, int[] labels) {
        this.classes = classes;
        this.letters = letters;
        this.centres = centres;
        this.labels = labels;
    }

    /** A word of the letters a to z, and the class of each letter. */
    record Word(String letters, List<Integer> labels) {}

    static LetterWindows of(List<Word> words, int classes) {
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
        return new LetterWindows(classes, letters, centres, labels);
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public Shape shape() {
        return SHAPE;
    }

    @Override
    public int positions() {
        return 1;
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        MemorySegment values = into.values();
        values.asSlice(0, (long) count * SHAPE.size() * Float.BYTES).fill((byte) 0);
        for (int i = 0; i < count; i++) {
            int sample = Objects.checkIndex(order[from + i], labels.length);
            into.label(i, 0, labels[sample]);
            for (int place = 0; place < Nettalk.WINDOW; place++) {
                int letter = letters[centres[sample] - SIDE + place];
                long at = ((long) i * Nettalk.WINDOW + place) * Nettalk.LETTERS + letter;
                values.setAtIndex(JAVA_FLOAT, at, 1);
            }
        }
    }
}
