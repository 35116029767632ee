package dev.equipoise.agent.dataset;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Tells numbers from words in the cells of a CSV file. */
final class CsvCells {

    private static final int MAX_SHOWN = 40;

    /** Words that stand for a missing or infinite value, in lower case. */
    private static final Set<String> NO_WORDS =
            Set.of("", "?", "-", "na", "n/a", "nan", "null", "none", "inf", "-inf", "infinity");

    private CsvCells() {}

    /** Returns the number of a cell; NaN if it is no finite number. */
    static float number(String cell) {
        float value = parsed(cell);
        return Float.isFinite(value) ? value : Float.NaN;
    }

    /** Returns whether a cell is a number, even if it is too large. */
    static boolean isNumber(String cell) {
        return !Float.isNaN(parsed(cell));
    }

    /** Rejects the letters d and f at the end, which Java allows. */
    private static float parsed(String cell) {
        if (cell.isEmpty() || Character.isLetter(cell.charAt(cell.length() - 1))) {
            return Float.NaN;
        }
        try {
            return Float.parseFloat(cell);
        } catch (NumberFormatException _) {
            return Float.NaN;
        }
    }

    /**
     * Returns whether a line names its columns: no cell is a number, and all but that of the label
     * are words or empty, not all of them empty.
     *
     * @param isLabeled whether the last column has the label
     */
    static boolean isHeader(List<String> cells, boolean isLabeled) {
        List<String> features = cells.subList(0, cells.size() - (isLabeled ? 1 : 0));
        return cells.stream().noneMatch(CsvCells::isNumber)
                && features.stream().anyMatch(CsvCells::isWord)
                && features.stream().allMatch(cell -> cell.isEmpty() || isWord(cell));
    }

    /** Returns whether at least half of the columns before the last have words, as in a header. */
    static boolean resemblesHeader(List<String> cells) {
        List<String> features = cells.subList(0, cells.size() - 1);
        long words = features.stream().filter(CsvCells::isWord).count();
        return words > 0 && 2 * words >= features.size();
    }

    private static boolean isWord(String cell) {
        return !isNumber(cell) && !NO_WORDS.contains(cell.toLowerCase(Locale.ROOT));
    }

    /** Returns the beginning of a cell, for messages. */
    static String shown(String cell) {
        return cell.substring(0, Math.min(cell.length(), MAX_SHOWN));
    }
}
