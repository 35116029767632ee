package dev.equipoise.app.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ClockCoverageTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ClockCoverage coverage =
            new ClockCoverage(Duration.ofSeconds(10), Duration.ofSeconds(5));

    /** Checks once a second in [from, until] and returns the last result. */
    private boolean check(int from, int until) {
        boolean covered = false;
        for (int second = from; second <= until; second++) {
            covered = coverage.at(InstantSource.fixed(START.plusSeconds(second)));
        }
        return covered;
    }

    @Test
    void newInstanceHasNoCoverageForThePeriod() {
        assertThat(check(0, 9)).isFalse();
        assertThat(check(10, 10)).isTrue();
    }

    @Test
    void gapRestartsTheCoverage() {
        check(0, 20);

        assertThat(check(50, 59)).isFalse();
        assertThat(check(60, 60)).isTrue();
    }

    @Test
    void slightlyLateCheckIsNoGap() {
        check(0, 20);

        assertThat(check(25, 25)).isTrue();
    }

    @Test
    void clockSetBackRestartsTheCoverage() {
        check(0, 3600);

        assertThat(check(1800, 1809)).isFalse();
        assertThat(check(1810, 1810)).isTrue();
    }
}
