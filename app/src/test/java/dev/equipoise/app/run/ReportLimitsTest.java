package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome.Interrupted;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportLimitsTest {

    private final ReportLimits limits = new ReportLimits(2, 100, 1000, 1000, 5_000);

    private static EpochFinished epoch(int epoch, int samples) {
        return TestingEpochs.epoch(epoch, samples, 1, 1, 1, 3, 1, 0.5, null, "p");
    }

    @Test
    void reportsWithinTheLimitsAreAccepted() {
        assertThatCode(
                        () -> {
                            limits.check(new RoundReached(0, 1, 0));
                            limits.check(new RoundReached(0, 2, 100));
                            limits.check(epoch(1, 1000));
                            limits.check(epoch(2, 1000));
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void epochBeyondTheLastIsRejected() {
        assertThatThrownBy(() -> limits.check(epoch(3, 1000)))
                .isInstanceOf(Problem.class)
                .hasMessage("epoch must be from 1 to 2, but was 3");
        assertThatThrownBy(() -> limits.check(new RoundReached(0, 99, 1)))
                .isInstanceOf(Problem.class)
                .hasMessage("epoch must be from 1 to 2, but was 99");
    }

    @Test
    void roundBeyondTheLastIsRejected() {
        assertThatThrownBy(() -> limits.check(new RoundReached(0, 1, 101)))
                .isInstanceOf(Problem.class)
                .hasMessage("round must be at most 100, but was 101");
    }

    @Test
    void samplesOtherThanTheShareAreRejected() {
        assertThatThrownBy(() -> limits.check(epoch(1, 999)))
                .isInstanceOf(Problem.class)
                .hasMessage("samples must be the rank's share, 1000, but was 999");
        assertThatThrownBy(() -> limits.check(epoch(1, 1001)))
                .isInstanceOf(Problem.class)
                .hasMessage("samples must be the rank's share, 1000, but was 1001");
    }

    @Test
    void bytesWhoseSumWouldOverflowAreRejected() {
        EpochFinished within = TestingEpochs.epoch(1, 1000, 1, 1, 1, 3, 5_000, 0.5, null, "p");
        EpochFinished beyond = TestingEpochs.epoch(1, 1000, 1, 1, 1, 3, 5_001, 0.5, null, "p");

        assertThatCode(() -> limits.check(within)).doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check(beyond))
                .isInstanceOfSatisfying(
                        Problem.class,
                        it ->
                                assertThat(it.violations())
                                        .containsExactly(
                                                new Violation(
                                                        "/traffic",
                                                        "must have at most 5000 bytes in total",
                                                        5_001L)));
    }

    private static Interrupted holding(int epoch, int round, int sample) {
        return new Interrupted(
                3,
                new Interrupted.RetainedPoint(new Position(epoch, round, sample), "p"),
                List.of());
    }

    @Test
    void retainedStateBeyondTheTrainedRoundsIsRejected() {
        limits.check(holding(1, 20, 200), 1000, 20);
        limits.check(new Interrupted(3, null, List.of()), 1000, 0);
        assertThatThrownBy(() -> limits.check(holding(1, 21, 210), 1000, 20))
                .isInstanceOf(Problem.class)
                .hasMessageStartingWith(
                        "rank 3 must hold at most the 20 rounds that it trained, but held");
        assertThatThrownBy(() -> limits.check(holding(3, 0, 0), 1000, 200))
                .isInstanceOf(Problem.class)
                .hasMessage("epoch must be from 1 to 2, but was 3");
        assertThatThrownBy(() -> limits.check(holding(1, 20, 1001), 1000, 200))
                .isInstanceOf(Problem.class)
                .hasMessage("sample must be at most 1000, but was 1001");
    }

    @Test
    void dynamicSharesAcceptAnyNumberOfSamples() {
        var changing = new ReportLimits(2, 100, 0, 3000, 5_000);

        assertThatCode(() -> changing.check(epoch(1, 0))).doesNotThrowAnyException();
        assertThatCode(() -> changing.check(epoch(2, 3000))).doesNotThrowAnyException();
        assertThatThrownBy(() -> changing.check(epoch(2, 3001)))
                .isInstanceOf(Problem.class)
                .hasMessage("samples must be at most 3000, but was 3001");
    }
}
