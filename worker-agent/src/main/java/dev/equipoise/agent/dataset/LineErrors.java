package dev.equipoise.agent.dataset;

import org.jspecify.annotations.Nullable;

/** Collects the errors in lines of data files; the first {@link #MAX_TOLD} are told. */
final class LineErrors {

    static final int MAX_TOLD = 100;

    private final StringBuilder told = new StringBuilder();
    private @Nullable Content last;
    private int count;

    /**
     * Adds an error.
     *
     * @param line from 1
     * @param rule that the line breaks, and what was found
     */
    void add(Content content, int line, String rule) {
        count++;
        if (count <= MAX_TOLD) {
            told.append(count == 1 ? "" : "; ")
                    .append(content == last ? "" : content.file() + ", ")
                    .append("line %d: %s".formatted(line, rule));
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
            int others = count - MAX_TOLD;
            throw last.broken(
                    others > 0
                            ? "%s; and %d more errors".formatted(told, others)
                            : told.toString());
        }
    }
}
