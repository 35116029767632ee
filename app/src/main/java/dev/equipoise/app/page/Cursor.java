package dev.equipoise.app.page;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * End of a page: the sort keys of its last item. The next page begins after these keys, whatever
 * was added or removed meanwhile.
 */
public record Cursor(List<String> keys) {

    /** Limit of the text, in characters. */
    public static final int MAX_LENGTH = 500;

    private static final String SEPARATOR = "\n";

    public Cursor {
        keys = List.copyOf(keys);
    }

    /**
     * Reads the text of a cursor.
     *
     * @param text null or empty for the first page
     * @param reading converts the keys; fails with an {@link IllegalArgumentException} or another
     *     {@link RuntimeException} if they belong to another list
     * @throws Problem {@code invalid-request} if the text is not a cursor of this list
     */
    public static <T> Optional<T> read(@Nullable String text, Function<List<String>, T> reading) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            String keys = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            return Optional.of(reading.apply(List.of(keys.split(SEPARATOR, -1))));
        } catch (RuntimeException other) {
            throw invalid(text);
        }
    }

    private static Problem invalid(String text) {
        return Problem.of(
                ErrorCode.INVALID_REQUEST,
                List.of(
                        new Violation(
                                "?cursor",
                                "must be the next of a page of the same list, in the same order",
                                text)));
    }

    /** Returns the text that a page contains. */
    public String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, keys).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the text of the cursor after these items; null for the last page.
     *
     * @param limit number of items of a full page
     */
    public static <T> @Nullable String next(List<T> items, int limit, Function<T, Cursor> place) {
        return items.size() < limit ? null : place.apply(items.getLast()).text();
    }
}
