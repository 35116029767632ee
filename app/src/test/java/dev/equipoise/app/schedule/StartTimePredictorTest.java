package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.schedule.StartTimePredictor.Entry;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartTimePredictorTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final LabWorker one = worker(1, WorkerState.BUSY, Map.of());
    private final LabWorker two = worker(2, WorkerState.BUSY, Map.of());
    private final RunId first = RunId.of(new UUID(0, 1));
    private final RunId second = RunId.of(new UUID(0, 2));
    private final RunId third = RunId.of(new UUID(0, 3));

    private AvailabilityProfile availability() {
        return new AvailabilityProfile(
                NOW, Map.of(one.id(), NOW.plusSeconds(10), two.id(), NOW.plusSeconds(30)));
    }

    private static Instant after(int seconds) {
        return NOW.plusSeconds(seconds);
    }

    private Entry wants(RunId run, int workers, int seconds) {
        return new Entry(run, List.of(one, two), workers, Duration.ofSeconds(seconds));
    }

    @Test
    void eachRunStartsAfterEarlierRuns() {
        assertThat(
                        StartTimePredictor.of(
                                List.of(
                                        wants(first, 2, 100),
                                        wants(second, 1, 50),
                                        wants(third, 1, 60)),
                                availability()))
                .containsExactly(
                        Map.entry(first, new QueuePosition(1, after(30))),
                        Map.entry(second, new QueuePosition(2, after(130))),
                        Map.entry(third, new QueuePosition(3, after(130))));
    }

    @Test
    void startBehindRunOfUnknownRuntimeIsUnknown() {
        assertThat(
                        StartTimePredictor.of(
                                List.of(
                                        new Entry(first, List.of(one, two), 1, null),
                                        wants(second, 1, 50),
                                        wants(third, 2, 60)),
                                availability()))
                .containsExactly(
                        Map.entry(first, new QueuePosition(1, after(10))),
                        Map.entry(second, new QueuePosition(2, after(30))),
                        Map.entry(third, new QueuePosition(3, null)));
    }

    private static RunId run(int number) {
        return RunId.of(new UUID(1, number));
    }

    @Test
    void longQueueInSmallLabIsSimulatedExactly() {
        List<Entry> order =
                IntStream.range(0, 2000).mapToObj(number -> wants(run(number), 2, 10)).toList();

        assertThat(StartTimePredictor.of(order, availability()).values())
                .containsExactlyElementsOf(
                        IntStream.range(0, 2000)
                                .mapToObj(number ->
                                        new QueuePosition(number + 1, after(30 + 10 * number)))
                                .toList());
    }

    private static final List<LabWorker> THOUSAND =
            List.copyOf(
                    IntStream.range(0, 1000)
                            .mapToObj(number -> worker(number, WorkerState.IDLE, Map.of()))
                            .toList());

    private static Entry inALargeLab(int number, int workers, @Nullable Duration length) {
        return new Entry(run(number), THOUSAND, workers, length);
    }

    private static final int SIMULATED = StartTimePredictor.MAX_WORKER_VISITS / THOUSAND.size();

    @Test
    void approximationDividesTheWorkAheadEvenly() {
        // Every other run cannot start, and adds no cost.
        List<Entry> order =
                IntStream.range(0, 4 * SIMULATED)
                        .mapToObj(number ->
                                inALargeLab(number, 1000 + number % 2, Duration.ofSeconds(10)))
                        .toList();

        assertThat(StartTimePredictor.of(order, new AvailabilityProfile(NOW, Map.of())).values())
                .containsExactlyElementsOf(
                        IntStream.range(0, 4 * SIMULATED)
                                .mapToObj(number ->
                                        new QueuePosition(
                                                number + 1,
                                                number % 2 == 0 ? after(5 * number) : null))
                                .toList());
    }

    @Test
    void runOfUnknownRuntimeKeepsItsWorkersInTheApproximation() {
        List<Entry> order =
                Stream.concat(
                                IntStream.range(0, SIMULATED)
                                        .mapToObj(number ->
                                                inALargeLab(number, 1000, Duration.ofSeconds(1))),
                                Stream.of(
                                        inALargeLab(9001, 600, null),
                                        inALargeLab(9002, 400, Duration.ofSeconds(10)),
                                        inALargeLab(9003, 600, Duration.ofSeconds(10)),
                                        inALargeLab(9004, 1, Duration.ofSeconds(10))))
                        .toList();

        Map<RunId, QueuePosition> positions =
                StartTimePredictor.of(order, new AvailabilityProfile(NOW, Map.of()));

        assertThat(positions)
                .containsEntry(run(9001), new QueuePosition(SIMULATED + 1, after(SIMULATED)))
                .containsEntry(run(9002), new QueuePosition(SIMULATED + 2, after(SIMULATED)))
                .containsEntry(run(9003), new QueuePosition(SIMULATED + 3, null))
                .containsEntry(run(9004), new QueuePosition(SIMULATED + 4, null));
    }

    @Test
    void runWithTooFewWorkersHasNoStartAndDelaysNoOther() {
        assertThat(
                        StartTimePredictor.of(
                                List.of(wants(first, 3, 100), wants(second, 1, 50)),
                                availability()))
                .containsExactly(
                        Map.entry(first, new QueuePosition(1, null)),
                        Map.entry(second, new QueuePosition(2, after(10))));
    }
}
