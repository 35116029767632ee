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
 * Where a page ended: the keys by which its last item stands in the list. The next page begins
 * behind them, whatever was added or removed meanwhile.
 */
public record Cursor(List<String> keys) {

    /** The longest that is read, in characters. */
    public static final int LONGEST = 500;

    private static final String SEPARATOR = "\n";

    public Cursor {
        keys = List.copyOf(keys);
    }

    /**
     * Reads what a page gave out.
     *
     * @param text null or empty for the first page
     * @param reading makes what it means of the keys; fails with an {@link
     *     IllegalArgumentException} or {@link RuntimeException} of parsing where they are others
     * @throws Problem {@code invalid-request} where it is no such text
     */
    public static <T> Optional<T> read(@Nullable String text, Function<List<String>, T> reading) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            String keys = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            return Optional.of(reading.apply(List.of(keys.split(SEPARATOR, -1))));
        } catch (RuntimeException other) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "?cursor",
                                    "must be the next of a page of the same list, in the same order",
                                    text)));
        }
    }

    /** As a page gives it out. */
    public String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, keys).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Of the page behind these items, or null where there is none.
     *
     * @param limit how many a page has
     */
    public static <T> @Nullable String next(List<T> items, int limit, Function<T, Cursor> place) {
        return items.size() < limit ? null : place.apply(items.getLast()).text();
    }
}
