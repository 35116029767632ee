package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Collects the errors in lines of data files. It tells all of them, or their number and the first
 * ones: at most {@link #MAX_TOLD}, and as many as a failure of a run has room for.
 */
final class LineErrors {

    static final int MAX_TOLD = 100;

    /** Longest text of all errors, in characters; what is around it has room for the rest. */
    private static final int MAX_TEXT = Outcome.MAX_MESSAGE * 4 / 5;

    private final StringBuilder told = new StringBuilder();
    private @Nullable Content last;
    private int count;
    private boolean isFull;

    /**
     * Adds an error.
     *
     * @param line from 1
     * @param rule that the line breaks, and what was found
     */
    void add(Content content, int line, String rule) {
        count++;
        String error =
                "%s%sline %d: %s"
                        .formatted(
                                count == 1 ? "" : "; ",
                                content == last ? "" : content.file() + ", ",
                                line,
                                rule);
        isFull |= count > MAX_TOLD || (count > 1 && told.length() + error.length() > MAX_TEXT);
        if (!isFull) {
            told.append(error);
        }
        last = content;
    }

    /**
     * Reports all errors together.
     *
     * @throws DatasetInvalid for errors in a user's files
     * @throws DatasetCorrupt for errors in published files
     */
    void throwIfAny() {
        if (last != null) {
            throw last.broken(
                    isFull
                            ? "%d errors; the first are: %s".formatted(count, told)
                            : told.toString());
        }
    }
}
