package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A page with a part between two marker comments that a command writes.
 *
 * @param before the text up to the end of the first marker
 * @param after the text from the start of the second marker
 */
record MarkedFile(Path path, String before, String after) {

    /** Marks of the table of published figures. */
    static final Marks FIGURES = Marks.of("published figures");

    /** Marks of the tables of injected faults. */
    static final Marks FAULTS = Marks.of("injected faults");

    /** The lines before and after the part. */
    record Marks(String begin, String end) {

        private static Marks of(String name) {
            return new Marks(
                    "<!-- %s: begin -->".formatted(name), "<!-- %s: end -->".formatted(name));
        }
    }

    /**
     * Checks that a page can be read and has its markers; accepts null.
     *
     * @throws UsageError otherwise
     */
    static void check(@Nullable Path path, Marks marks) {
        if (path != null) {
            var _ = of(path, marks);
        }
    }

    /**
     * Reads a page.
     *
     * @throws UsageError if it cannot be read, or does not have each marker once and in order
     */
    static MarkedFile of(Path path, Marks marks) {
        try {
            return of(path, Files.readString(path), marks);
        } catch (IOException unreadable) {
            throw new UsageError(
                    "--output %s cannot be read: %s"
                            .formatted(path, LabFailure.reason(unreadable)));
        }
    }

    private static MarkedFile of(Path path, String text, Marks marks) {
        int begin = text.indexOf(marks.begin());
        int end = text.indexOf(marks.end());
        boolean isOnce =
                begin == text.lastIndexOf(marks.begin()) && end == text.lastIndexOf(marks.end());
        if (begin < 0 || end < begin || !isOnce) {
            throw new UsageError(
                    "--output must name a file that has the lines %s and %s once and in this order;"
                                    .formatted(marks.begin(), marks.end())
                            + " add them to "
                            + path);
        }
        return new MarkedFile(
                path, text.substring(0, begin + marks.begin().length()), text.substring(end));
    }

    /** Writes the page with other content between the markers. */
    void write(String content) {
        new OutputFile(path).write(with(content));
    }

    String with(String content) {
        return before + "\n" + content + after;
    }
}
