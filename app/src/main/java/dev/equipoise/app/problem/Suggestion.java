package dev.equipoise.app.problem;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the word that a user may have meant. */
public final class Suggestion {

    /** Letters of a word for each of which one edit is tolerated. */
    private static final int LETTERS_AN_EDIT = 3;

    private static final int LONGEST = 60;

    private Suggestion() {}

    /** Returns {@code ; did you mean ...} with the most similar word; empty if none is similar. */
    public static String after(String word, Collection<String> known) {
        return nearest(word, known).map("; did you mean %s?"::formatted).orElse("");
    }

    /**
     * Returns the rule that an unknown word breaks, with the most similar known one: {@code is not
     * a field; did you mean seed? The fields here are [name, seed]}.
     *
     * @param kind what the known words are, in the singular
     */
    public static String unknown(String kind, String word, Collection<String> known) {
        return nearest(word, known)
                .map(it ->
                        "is not a %s; did you mean %s? The %ss here are %s"
                                .formatted(kind, it, kind, known))
                .orElseGet(() -> "is not a %s; the %ss here are %s".formatted(kind, kind, known));
    }

    private static Optional<String> nearest(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        String wanted = word.toLowerCase(Locale.ROOT);
        int most = Math.max(1, word.length() / LETTERS_AN_EDIT);
        return known.stream()
                // A lower bound of the distance that costs little: unknown words may be many.
                .filter(it -> Math.abs(it.length() - wanted.length()) <= most)
                .filter(it -> distance(wanted, it.toLowerCase(Locale.ROOT)) <= most)
                .min(
                        Comparator.<String>comparingInt(
                                        it -> distance(wanted, it.toLowerCase(Locale.ROOT)))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the Levenshtein distance, by the algorithm of Wagner and Fischer (1974). */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int replaced = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(
                                above[column - 1] + replaced,
                                1 + Math.min(above[column], current[column - 1]));
            }
            above = current;
        }
        return above[other.length()];
    }
}
