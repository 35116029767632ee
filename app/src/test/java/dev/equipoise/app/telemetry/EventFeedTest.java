package dev.equipoise.app.telemetry;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.EventFeed.Next;
import dev.equipoise.app.telemetry.EventLog.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EventFeedTest {

    private static final UUID RUN = UUID.randomUUID();
    private static final Duration AT_ONCE = Duration.ZERO;

    /** Feed that was opened when the last event had the id 10. */
    private final EventFeed feed = new EventFeed(RUN, 10);

    private static Stored event(long id, String body) {
        return new Stored(RUN, id, Instant.EPOCH, "progress", body);
    }

    private void add(long from, long to) {
        feed.add(LongStream.rangeClosed(from, to).mapToObj(id -> event(id, "{}")).toList());
    }

    @Test
    void readerAtTheLastEventGetsTheFollowingOnes() throws Exception {
        assertThat(feed.after(10, AT_ONCE)).isEqualTo(new Next.Nothing());

        add(12, 13);

        assertThat(feed.after(10, AT_ONCE))
                .isEqualTo(new Next.Events(List.of(event(12, "{}"), event(13, "{}"))));
        assertThat(feed.after(12, AT_ONCE)).isEqualTo(new Next.Events(List.of(event(13, "{}"))));
        assertThat(feed.after(13, AT_ONCE)).isEqualTo(new Next.Nothing());
    }

    @Test
    void readerBehindTheWindowMustReadOlderEvents() throws Exception {
        assertThat(feed.after(9, AT_ONCE)).isEqualTo(new Next.Older());
        add(11, 11);
        assertThat(feed.after(9, AT_ONCE)).isEqualTo(new Next.Older());
    }

    @Test
    void slowReaderDoesNotGrowTheWindow() throws Exception {
        add(11, 11 + 600);

        assertThat(feed.after(10, AT_ONCE)).isEqualTo(new Next.Older());
        assertThat(feed.after(611 - 512, AT_ONCE))
                .isInstanceOfSatisfying(
                        Next.Events.class, some -> assertThat(some.events()).hasSize(512));
    }

    @Test
    void longEventsLeaveTheWindowEarlier() throws Exception {
        String body = "x".repeat(1 << 19);
        feed.add(List.of(event(11, body), event(12, body), event(13, body)));

        assertThat(feed.after(10, AT_ONCE)).isEqualTo(new Next.Older());
        assertThat(feed.after(11, AT_ONCE)).isInstanceOf(Next.Events.class);
    }

    @Test
    void waitingReaderIsWokenByAnEventAndByClosing() {
        var one = CompletableFuture.supplyAsync(() -> await(10));
        add(11, 11);
        assertThat(one.join()).isEqualTo(new Next.Events(List.of(event(11, "{}"))));

        var other = CompletableFuture.supplyAsync(() -> await(11));
        feed.close();
        assertThat(other.join()).isEqualTo(new Next.Closed());
    }

    private Next await(long id) {
        try {
            return feed.after(id, PATIENCE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
