package dev.equipoise.app.page;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place in a list that has the newest first, and of those of the same moment the greater id.
 *
 * @param at when the item before it was made
 * @param id of the item before it
 */
public record Newest(Instant at, UUID id) {

    /** Before all; PostgreSQL knows no later day that Java does. */
    private static final Newest FIRST =
            new Newest(Instant.parse("9999-12-31T00:00:00Z"), new UUID(-1, -1));

    /** What follows a page, or the first one. */
    public static Newest after(@Nullable String cursor) {
        return Cursor.read(
                        cursor,
                        keys ->
                                new Newest(
                                        Instant.parse(keys.get(0)), UUID.fromString(keys.get(1))))
                .orElse(FIRST);
    }

    public Cursor cursor() {
        return new Cursor(List.of(at.toString(), id.toString()));
    }
}
