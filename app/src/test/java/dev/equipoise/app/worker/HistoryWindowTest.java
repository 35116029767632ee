package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryWindowTest {

    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant TO = FROM.plusSeconds(600);

    private final HistoryWindow window = new HistoryWindow(FROM, TO, 2);

    private static WorkerSample sample(int second, @Nullable Double load) {
        return new WorkerSample(FROM.plusSeconds(second), load, null);
    }

    private static StateChange change(int second, WorkerState state) {
        return new StateChange(FROM.plusSeconds(second), state, Cordon.OPEN);
    }

    @Test
    void bucketHasMeanLeastAndGreatestOfItsSamples() {
        List<WorkerSample> samples =
                List.of(sample(0, 1.0), sample(299, 3.0), sample(300, 8.0), sample(360, null));

        assertThat(window.points(samples, WorkerSample::load))
                .containsExactly(
                        new HistoryPoint(FROM, 2, 1, 3),
                        new HistoryPoint(FROM.plusSeconds(300), 8, 8, 8));
    }

    @Test
    void bucketWithoutSamplesIsLeftOut() {
        assertThat(window.points(List.of(sample(400, 0.5)), WorkerSample::load))
                .containsExactly(new HistoryPoint(FROM.plusSeconds(300), 0.5, 0.5, 0.5));
        assertThat(window.points(List.of(sample(400, 0.5)), WorkerSample::usedMemoryBytes))
                .isEmpty();
    }

    @Test
    void intervalsBeginWithTheStateAtTheBeginOfTheWindow() {
        List<StateChange> newestFirst =
                List.of(
                        change(200, WorkerState.BUSY),
                        change(-50, WorkerState.IDLE),
                        change(-100, WorkerState.JOINING));

        assertThat(window.intervals(newestFirst))
                .containsExactly(
                        new StateInterval(
                                FROM, FROM.plusSeconds(200), WorkerState.IDLE, Cordon.OPEN),
                        new StateInterval(
                                FROM.plusSeconds(200), TO, WorkerState.BUSY, Cordon.OPEN));
    }

    @Test
    void workerHasNoStateBeforeItJoined() {
        assertThat(window.intervals(List.of(change(100, WorkerState.JOINING))))
                .containsExactly(
                        new StateInterval(
                                FROM.plusSeconds(100), TO, WorkerState.JOINING, Cordon.OPEN));
        assertThat(window.intervals(List.of())).isEmpty();
    }

    @Test
    void windowIsADayUntilNowByDefault() {
        HistoryWindow usual = HistoryWindow.of(null, null, 10, TO);

        assertThat(usual.to()).isEqualTo(TO);
        assertThat(usual.from()).isEqualTo(TO.minusSeconds(86_400));
    }

    @Test
    void emptyWindowIsRejected() {
        assertThatThrownBy(() -> HistoryWindow.of(TO, TO, 10, TO))
                .hasMessageContaining("?from must be before to");
        assertThatThrownBy(() -> HistoryWindow.of(Instant.EPOCH, TO, 10, TO))
                .hasMessageContaining("by at most 3660 days");
    }
}
