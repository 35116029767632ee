package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {

    private static Duration nearest(int known, int least, int most) {
        return DatabaseClock.nearest(
                Duration.ofMillis(known), Duration.ofMillis(least), Duration.ofMillis(most));
    }

    @Test
    void offsetWithinTheBoundsStays() {
        assertThat(nearest(5, -10, 10)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void offsetOutsideTheBoundsMovesToTheNearestBound() {
        assertThat(nearest(5, 7, 10)).isEqualTo(Duration.ofMillis(7));
        assertThat(nearest(50, 7, 10)).isEqualTo(Duration.ofMillis(10));
    }
}
