package dev.equipoise.testing.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Part of a page between two marker comments, which a test generates from the sources.
 *
 * @param page file of the page
 * @param name words of both markers
 */
public record GeneratedPart(Path page, String name) {

    /** System property by which {@code ./equipoise pages} asks to write the part. */
    private static final String RENEW = "equipoise.pages.renew";

    /**
     * Returns a part of a page of the repository.
     *
     * @param page path from the root of the repository, for example {@code docs/configuration.md}
     */
    public static GeneratedPart of(String page, String name) {
        return new GeneratedPart(Path.of("..").resolve(page), name);
    }

    /**
     * Checks that the page has this content between the markers, or writes it if {@code
     * -Dequipoise.pages.renew=true} asks for it.
     *
     * @param content Markdown that ends with a line break
     * @throws AssertionError if the content differs, or the page does not have each marker once and
     *     in order
     */
    public void check(String content) {
        check(content, Boolean.getBoolean(RENEW));
    }

    void check(String content, boolean renews) {
        try {
            String present = Files.readString(page);
            String wanted = with(present, content);
            if (!renews) {
                assertEquals(wanted, present, this::command);
            } else if (!wanted.equals(present)) {
                Files.writeString(page, wanted);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String command() {
        return "%s differs from the sources in the part \"%s\": run './equipoise pages' and commit the page"
                .formatted(page, name);
    }

    private String with(String text, String content) {
        String begin = "<!-- %s: begin -->\n".formatted(name);
        String end = "<!-- %s: end -->".formatted(name);
        int from = text.indexOf(begin);
        int to = text.indexOf(end);
        if (from < 0 || to < from || isTwice(text, begin) || isTwice(text, end)) {
            throw new AssertionError(
                    "%s must have the lines %s and %s once and in this order"
                            .formatted(page, begin.strip(), end));
        }
        return text.substring(0, from + begin.length()) + content + text.substring(to);
    }

    private static boolean isTwice(String text, String marker) {
        return text.indexOf(marker) != text.lastIndexOf(marker);
    }
}
