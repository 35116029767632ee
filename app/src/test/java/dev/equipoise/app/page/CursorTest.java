package dev.equipoise.app.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {

    @Test
    void cursorRoundTrips() {
        NewestFirstKey key =
                new NewestFirstKey(Instant.parse("2026-02-03T04:05:06.789012Z"), UUID.randomUUID());

        assertThat(NewestFirstKey.after(key.cursor().text())).isEqualTo(key);
    }

    @Test
    void firstPageBeginsBeforeAllItems() {
        assertThat(NewestFirstKey.after(null)).isEqualTo(NewestFirstKey.after(""));
        assertThat(NewestFirstKey.after(null).at()).isAfter(Instant.parse("3000-01-01T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "!", "bm90IGEgY3Vyc29y", "AAAA"})
    void foreignCursorsAreRejected(String text) {
        assertThatThrownBy(() -> NewestFirstKey.after(text))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("?cursor must be the next of a page");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z",
                "0000-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z"
            })
    void timesThatCannotBeStoredAreRejected(String time) {
        String cursor = new Cursor(List.of(time, UUID.randomUUID().toString())).text();

        assertThatThrownBy(() -> NewestFirstKey.after(cursor))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("?cursor must be the next of a page");
    }

    @Test
    void partialPageIsTheLast() {
        assertThat(Cursor.next(List.of("a"), 2, it -> new Cursor(List.of(it)))).isNull();
        assertThat(Cursor.next(List.of("a", "b"), 2, it -> new Cursor(List.of(it))))
                .isEqualTo(new Cursor(List.of("b")).text());
    }
}
