package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollingTest {

    private static final long LONGEST = 200_000;

    private final Polling polling = new Polling(Duration.ofNanos(LONGEST), Duration.ZERO);
    private final long now = System.nanoTime();

    @Test
    void pollsUntilTheLimitOnAnIdleCore() {
        polling.noteYield(now, now + 1_000);

        assertThat(polling.goesOn(now, LONGEST - 1)).isTrue();
        assertThat(polling.goesOn(now, LONGEST)).isFalse();
    }

    @Test
    void blocksAtOnceWhileTheCoreIsContended() {
        long end = lose(now);

        assertThat(polling.goesOn(end, 0)).isFalse();
        assertThat(polling.goesOn(end + millis(1), 0)).isFalse();
        assertThat(polling.goesOn(end + millis(2), 0)).isTrue();
    }

    @Test
    void contentionLastsTwiceAsLongIfTheCoreIsLostSoonAgain() {
        long first = lose(now);
        long second = lose(first + millis(3));

        assertThat(polling.goesOn(second + millis(3), 0)).isFalse();
        assertThat(polling.goesOn(second + millis(4), 0)).isTrue();

        long muchLater = lose(second + millis(1000));

        assertThat(polling.goesOn(muchLater + millis(2), 0)).isTrue();
    }

    @Test
    void pollsUntilTheContendedLimitOnAContendedCore() {
        var spinning = new Polling(Duration.ofNanos(LONGEST), Duration.ofNanos(LONGEST / 4));
        long end = now + millis(1000);
        spinning.noteYield(end - millis(4), end);

        assertThat(spinning.goesOn(end, LONGEST / 4 - 1)).isTrue();
        assertThat(spinning.goesOn(end, LONGEST / 4)).isFalse();
        assertThat(spinning.goesOn(end + millis(2), LONGEST / 4)).isTrue();
    }

    @Test
    void ranksThatShareCoresDoNotPollWhileContended() {
        assertThat(DirectChannel.contendedSpin(2, 2)).isPositive();
        assertThat(DirectChannel.contendedSpin(3, 2)).isZero();
    }

    private long lose(long begin) {
        long end = begin + millis(4);
        polling.noteYield(begin, end);
        return end;
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
