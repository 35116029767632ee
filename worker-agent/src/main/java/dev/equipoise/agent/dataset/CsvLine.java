package dev.equipoise.agent.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/*
 * RFC 4180, section 2, except that a quoted cell ends on its line, and that blanks around a cell do
 * not count.
 */
/** Splits lines of a CSV file into cells; a cell with commas or quotes is quoted. */
final class CsvLine {

    private static final char COMMA = ',';
    private static final char QUOTE = '"';

    private CsvLine() {}

    /** Returns the cells without the blanks around them; empty if a quote is misplaced. */
    static Optional<List<String>> cells(String line) {
        List<String> cells = new ArrayList<>();
        int at = 0;
        while (at <= line.length()) {
            int start = behindBlanks(line, at);
            boolean isQuoted = start < line.length() && line.charAt(start) == QUOTE;
            int end = isQuoted ? endOfQuoted(line, start) : endOfPlain(line, at);
            if (end < 0) {
                return Optional.empty();
            }
            String cell = line.substring(at, end).strip();
            cells.add(isQuoted ? unquoted(cell) : cell);
            at = end + 1;
        }
        return Optional.of(cells);
    }

    private static int endOfPlain(String line, int start) {
        int end = line.indexOf(COMMA, start);
        return end < 0 ? line.length() : end;
    }

    /**
     * Returns the end of a quoted cell: the index of a comma, or the length of the line; -1 if the
     * cell does not end with a quote.
     */
    private static int endOfQuoted(String line, int start) {
        int at = start + 1;
        while (at < line.length()) {
            if (line.charAt(at) != QUOTE) {
                at++;
            } else if (at + 1 < line.length() && line.charAt(at + 1) == QUOTE) {
                at += 2;
            } else {
                int end = behindBlanks(line, at + 1);
                return end == line.length() || line.charAt(end) == COMMA ? end : -1;
            }
        }
        return -1;
    }

    private static int behindBlanks(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }

    private static String unquoted(String cell) {
        return cell.substring(1, cell.length() - 1).replace("\"\"", "\"");
    }
}
