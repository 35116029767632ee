package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {

    private final TestingTime time = new TestingTime();

    @Test
    void sleepsForTheDifferenceToTheStretchedTime() {
        var throttle = new Throttle(2.5, 1, time);

        throttle.begin();
        time.work(Duration.ofMillis(20));
        throttle.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(30));
    }

    @Test
    void doesNotSleepAtFullSpeed() {
        var throttle = new Throttle(1, 1, time);

        throttle.begin();
        time.work(Duration.ofMillis(20));
        throttle.rest();
        throttle.end();

        assertThat(time.sleeps()).isZero();
    }

    @Test
    void severalRestsAddUpToTheSameStretch() {
        var throttle = new Throttle(2, 1, time);

        throttle.begin();
        for (int part = 0; part < 4; part++) {
            time.work(Duration.ofMillis(5));
            throttle.rest();
        }
        throttle.end();

        assertThat(time.sleeps()).isEqualTo(4);
        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void defersAShortDebtToTheEnd() {
        var throttle = new Throttle(2, 1, time);

        throttle.begin();
        time.work(Duration.ofNanos(150_000));
        throttle.rest();
        assertThat(time.sleeps()).isZero();
        throttle.end();

        assertThat(time.slept()).isEqualTo(Duration.ofNanos(150_000));
    }

    @Test
    void waitingForACoreIsNotStretchedAndReducesTheDebt() {
        var throttle = new Throttle(2, 1, time);

        throttle.begin();
        time.work(Duration.ofMillis(20));
        time.idle(Duration.ofMillis(15));
        throttle.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void doesNotSleepWhenWaitingForACoreTookLongerThanTheStretch() {
        var throttle = new Throttle(2, 1, time);

        throttle.begin();
        time.work(Duration.ofMillis(20));
        time.idle(Duration.ofMillis(50));
        throttle.end();

        assertThat(time.sleeps()).isZero();
    }

    @Test
    void timeBetweenTwoPiecesOfWorkIsNotStretched() {
        var throttle = new Throttle(2, 1, time);
        throttle.begin();
        time.work(Duration.ofMillis(10));
        throttle.end();
        time.work(Duration.ofMillis(7));

        throttle.begin();
        time.work(Duration.ofMillis(10));
        throttle.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void severalThreadsAreStretchedByWallTimeWithoutSleeps() {
        var throttle = new Throttle(2, 4, time);

        throttle.begin();
        time.idle(Duration.ofMillis(10));
        throttle.rest();
        time.idle(Duration.ofMillis(10));
        throttle.end();

        assertThat(time.slept()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void rejectsFactorsBelowOne() {
        assertThatThrownBy(() -> new Throttle(0.9, 1, time))
                .hasMessage("the slowdown must be at least 1, but was 0.9");
    }
}
