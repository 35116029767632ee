package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 6,000 samples in ten rounds, over workers with speeds in samples per second. */
class BalanceTest {

    private static final EpochWork WORK = EpochWork.of(6000, 10, 3);
    private static final double HYSTERESIS = 0.05;

    private static List<Double> seconds(Balance balance, double... speeds) {
        return IntStream.range(0, speeds.length)
                .mapToObj(rank -> balance.shares().get(rank) / speeds[rank])
                .toList();
    }

    private static Balance after(Balance balance, double... speeds) {
        return balance.after(WORK, seconds(balance, speeds), HYSTERESIS);
    }

    @Test
    void sharesFollowTheSpeedsAfterOneEpoch() {
        Balance balance = after(Balance.of(List.of(2000, 2000, 2000)), 100, 100, 400);

        assertThat(balance.shares()).containsExactly(1000, 1000, 4000);
        assertThat(balance.speeds()).containsExactly(100.0, 100.0, 400.0);
    }

    @Test
    void threefoldSlowdownIsBalancedAfterOneEpoch() {
        Balance before = after(Balance.of(List.of(2000, 2000, 2000)), 100, 100, 100);

        assertThat(after(before, 100, 100, 100 / 3.0).shares()).containsExactly(2572, 2571, 857);
    }

    @Test
    void gainBelowTheHysteresisKeepsTheShares() {
        Balance balance = Balance.of(List.of(2000, 2000, 2000));

        assertThat(after(balance, 100, 100, 97).shares()).containsExactly(2000, 2000, 2000);
        assertThat(after(balance, 100, 100, 80).shares()).containsExactly(2143, 2143, 1714);
    }

    @Test
    void rankWithoutSamplesKeepsItsLastSpeed() {
        Balance balance = new Balance(List.of(3000, 3000, 0), List.of(100.0, 100.0, 50.0));

        assertThat(after(balance, 100, 100, 1).shares()).containsExactly(2400, 2400, 1200);
    }

    @Test
    void sharesThatFitStayOnOtherWorkers() {
        Balance balance = new Balance(List.of(1000, 1000, 4000), List.of(100.0, 100.0, 400.0));

        assertThat(balance.within(WORK)).isEqualTo(balance);
        assertThat(balance.within(new EpochWork(6000, 10, List.of(100, 100, 400))))
                .isEqualTo(balance);
    }

    @Test
    void sharesThatExceedTheMemoryOfOtherWorkersFollowTheSpeeds() {
        Balance balance = new Balance(List.of(1000, 1000, 4000), List.of(100.0, 100.0, 400.0));

        Balance within = balance.within(new EpochWork(6000, 10, List.of(600, 600, 200)));

        assertThat(within.shares()).containsExactly(2000, 2000, 2000);
        assertThat(within.speeds()).isEqualTo(balance.speeds());
    }

    @Test
    void unobservedRankCountsAsTheSlowest() {
        Balance balance = Balance.of(List.of(3000, 3000, 0));

        assertThat(after(balance, 100, 200, 1).shares()).containsExactly(1500, 3000, 1500);
    }
}
