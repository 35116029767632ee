package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page with a part between two marker comments that a command writes.
 *
 * @param before the text up to the end of the first marker
 * @param after the text from the start of the second marker
 */
record MarkedFile(Path path, String before, String after) {

    static final String BEGIN = "<!-- published figures: begin -->";
    static final String END = "<!-- published figures: end -->";

    /**
     * Checks that a page can be read and has its markers; accepts null.
     *
     * @throws UsageError otherwise
     */
    static void check(@Nullable Path path) {
        Optional.ofNullable(path).ifPresent(MarkedFile::of);
    }

    /**
     * Reads a page.
     *
     * @throws UsageError if it cannot be read, or does not have each marker once and in order
     */
    static MarkedFile of(Path path) {
        try {
            return of(path, Files.readString(path));
        } catch (IOException unreadable) {
            throw new UsageError(
                    "--output %s cannot be read: %s"
                            .formatted(path, LabFailure.reason(unreadable)));
        }
    }

    private static MarkedFile of(Path path, String text) {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        boolean isOnce = begin == text.lastIndexOf(BEGIN) && end == text.lastIndexOf(END);
        if (begin < 0 || end < begin || !isOnce) {
            throw new UsageError(
                    "--output must name a file that has the lines %s and %s once and in this order;"
                                    .formatted(BEGIN, END)
                            + " add them to "
                            + path);
        }
        return new MarkedFile(path, text.substring(0, begin + BEGIN.length()), text.substring(end));
    }

    /** Writes the page with other content between the markers. */
    void write(String content) {
        new OutputFile(path).write(with(content));
    }

    String with(String content) {
        return before + "\n" + content + after;
    }
}
