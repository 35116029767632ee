package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {

    private static final long LONGEST = 200_000;

    private final SpinPolicy policy = new SpinPolicy(Duration.ofNanos(LONGEST), Duration.ZERO);
    private final long now = System.nanoTime();

    @Test
    void pollsUntilTheLimitOnAnIdleCore() {
        policy.noteYield(now, now + 1_000);

        assertThat(policy.goesOn(now, LONGEST - 1)).isTrue();
        assertThat(policy.goesOn(now, LONGEST)).isFalse();
    }

    @Test
    void blocksAtOnceWhileTheCoreIsContended() {
        long end = lose(now);

        assertThat(policy.goesOn(end, 0)).isFalse();
        assertThat(policy.goesOn(end + millis(1), 0)).isFalse();
        assertThat(policy.goesOn(end + millis(2), 0)).isTrue();
    }

    @Test
    void contentionLastsTwiceAsLongIfTheCoreIsLostSoonAgain() {
        long first = lose(now);
        long second = lose(first + millis(3));

        assertThat(policy.goesOn(second + millis(3), 0)).isFalse();
        assertThat(policy.goesOn(second + millis(4), 0)).isTrue();

        long muchLater = lose(second + millis(1000));

        assertThat(policy.goesOn(muchLater + millis(2), 0)).isTrue();
    }

    @Test
    void pollsUntilTheContendedLimitOnAContendedCore() {
        var contendedPolicy =
                new SpinPolicy(Duration.ofNanos(LONGEST), Duration.ofNanos(LONGEST / 4));
        long end = now + millis(1000);
        contendedPolicy.noteYield(end - millis(4), end);

        assertThat(contendedPolicy.goesOn(end, LONGEST / 4 - 1)).isTrue();
        assertThat(contendedPolicy.goesOn(end, LONGEST / 4)).isFalse();
        assertThat(contendedPolicy.goesOn(end + millis(2), LONGEST / 4)).isTrue();
    }

    @Test
    void ranksThatShareCoresDoNotPollWhileContended() {
        assertThat(DirectChannel.contendedSpin(2, 2)).isPositive();
        assertThat(DirectChannel.contendedSpin(3, 2)).isZero();
    }

    private long lose(long begin) {
        long end = begin + millis(4);
        policy.noteYield(begin, end);
        return end;
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
