package dev.equipoise.app.page;

import dev.equipoise.app.problem.StorableTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Position in a list sorted by descending time and, for equal times, by descending id.
 *
 * @param at time of the item before the position
 * @param id id of the item before the position
 */
public record NewestFirstKey(Instant at, UUID id) {

    /** Position before all items, at a day that PostgreSQL and Java both support. */
    private static final NewestFirstKey FIRST =
            new NewestFirstKey(Instant.parse("9999-12-31T00:00:00Z"), new UUID(-1, -1));

    /** Returns the position after a page, or before the first one without a cursor. */
    public static NewestFirstKey after(@Nullable String cursor) {
        return Cursor.read(
                        cursor,
                        keys -> new NewestFirstKey(time(keys.get(0)), UUID.fromString(keys.get(1))))
                .orElse(FIRST);
    }

    private static Instant time(String text) {
        Instant time = Instant.parse(text);
        if (!StorableTimes.isStorable(time)) {
            throw new IllegalArgumentException("no item has the time " + text);
        }
        return time;
    }

    public Cursor cursor() {
        return new Cursor(List.of(at.toString(), id.toString()));
    }
}
