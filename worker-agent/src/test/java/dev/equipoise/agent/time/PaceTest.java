package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private final TestingTime time = new TestingTime();

    @Test
    void sleepsTheRestOfTheStretchedTime() {
        var pace = new Pace(2.5, 1, time);

        pace.begin();
        time.work(Duration.ofMillis(20));
        pace.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(30));
    }

    @Test
    void doesNotSleepAtFullSpeed() {
        var pace = new Pace(1, 1, time);

        pace.begin();
        time.work(Duration.ofMillis(20));
        pace.rest();
        pace.end();

        assertThat(time.sleeps()).isZero();
    }

    @Test
    void restsOnTheWayAddUpToTheSameStretch() {
        var pace = new Pace(2, 1, time);

        pace.begin();
        for (int part = 0; part < 4; part++) {
            time.work(Duration.ofMillis(5));
            pace.rest();
        }
        pace.end();

        assertThat(time.sleeps()).isEqualTo(4);
        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void leavesAShortDebtToTheEnd() {
        var pace = new Pace(2, 1, time);

        pace.begin();
        time.work(Duration.ofNanos(150_000));
        pace.rest();
        assertThat(time.sleeps()).isZero();
        pace.end();

        assertThat(time.slept()).isEqualTo(Duration.ofNanos(150_000));
    }

    @Test
    void waitingForACoreIsNotStretchedAndPaysTheDebt() {
        var pace = new Pace(2, 1, time);

        pace.begin();
        time.work(Duration.ofMillis(20));
        time.idle(Duration.ofMillis(15));
        pace.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void doesNotSleepWhenWaitingForACoreTookLongerThanTheStretch() {
        var pace = new Pace(2, 1, time);

        pace.begin();
        time.work(Duration.ofMillis(20));
        time.idle(Duration.ofMillis(50));
        pace.end();

        assertThat(time.sleeps()).isZero();
    }

    @Test
    void whatHappensBetweenTwoPiecesOfWorkIsNotStretched() {
        var pace = new Pace(2, 1, time);
        pace.begin();
        time.work(Duration.ofMillis(10));
        pace.end();
        time.work(Duration.ofMillis(7));

        pace.begin();
        time.work(Duration.ofMillis(10));
        pace.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void severalThreadsAreStretchedByWallTimeWithoutTheSleepItself() {
        var pace = new Pace(2, 4, time);

        pace.begin();
        time.idle(Duration.ofMillis(10));
        pace.rest();
        time.idle(Duration.ofMillis(10));
        pace.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void refusesToMakeAMachineFaster() {
        assertThatThrownBy(() -> new Pace(0.9, 1, time))
                .hasMessage("the slow-down must be at least 1, but was 0.9");
    }
}
