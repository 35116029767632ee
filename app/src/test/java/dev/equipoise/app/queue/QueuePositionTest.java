package dev.equipoise.app.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class QueuePositionTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static QueuePosition at(int place, int seconds) {
        return new QueuePosition(place, NOW.plusSeconds(seconds));
    }

    @Test
    void otherPlaceIsNews() {
        assertThat(at(1, 100).isNews(null, NOW)).isTrue();
        assertThat(at(1, 100).isNews(at(2, 100), NOW)).isTrue();
        assertThat(at(1, 100).isNews(at(1, 100), NOW)).isFalse();
    }

    @Test
    void startIsNewsWhenItBecomesKnownOrUnknown() {
        QueuePosition unknown = new QueuePosition(1, null);

        assertThat(unknown.isNews(at(1, 100), NOW)).isTrue();
        assertThat(at(1, 100).isNews(unknown, NOW)).isTrue();
        assertThat(unknown.isNews(new QueuePosition(1, null), NOW)).isFalse();
    }

    @Test
    void startIsNewsWhenItMovesByATenthOfTheRemainingTime() {
        assertThat(at(1, 1000).isNews(at(1, 905), NOW)).isFalse();
        assertThat(at(1, 1000).isNews(at(1, 895), NOW)).isTrue();
        assertThat(at(1, 10).isNews(at(1, 6), NOW)).isFalse();
        assertThat(at(1, 10).isNews(at(1, 4), NOW)).isTrue();
    }
}
