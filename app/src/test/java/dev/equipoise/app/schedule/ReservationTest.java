package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.schedule.Placement.Decision;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests backfilling in a simulated lab whose runtime estimates are exact. */
class ReservationTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** A simulated run: its number of workers and its runtime in seconds. */
    private record Wanted(int number, int workers, int seconds, boolean isLengthKnown) {

        @Nullable Duration length() {
            return isLengthKnown ? Duration.ofSeconds(seconds) : null;
        }

        RunConfiguration configuration() {
            return wants(workers, Map.of(), EQUAL);
        }
    }

    /** The decisions of one pass. */
    private record Passed(List<Wanted> placed, @Nullable Instant firstReserved) {}

    private static final class TestingQueue {

        private final List<LabWorker> lab;
        private final Map<WorkerId, Instant> busyUntil = new HashMap<>();
        private final Map<WorkerId, Boolean> isEndKnown = new HashMap<>();
        private final List<Wanted> waiting = new ArrayList<>();
        private Instant now = START;

        TestingQueue(int workers) {
            lab =
                    IntStream.range(0, workers)
                            .mapToObj(number -> worker(number, WorkerState.IDLE, Map.of(), all()))
                            .toList();
        }

        private static List<Integer> all() {
            return IntStream.range(0, 100).boxed().toList();
        }

        /** Makes a pass; returns the placed runs and the start of the first blocked one. */
        Passed pass() {
            AvailabilityProfile availability = availability();
            Backfill backfill = new Backfill(availability);
            List<Wanted> placed = new ArrayList<>();
            Instant reserved = null;
            for (Wanted run : List.copyOf(waiting)) {
                Instant earliest = availability().earliest(lab, run.workers()).start();
                Decision decision =
                        backfill.decide(
                                _ -> run.length(), lab, mayBeTaken -> decide(run, mayBeTaken));
                if (decision instanceof Decision.Place(List<LabWorker> workers)) {
                    List<WorkerId> taken = workers.stream().map(LabWorker::id).toList();
                    backfill.take(taken, run.length());
                    for (WorkerId worker : taken) {
                        assertThat(isFree(worker)).isTrue();
                        busyUntil.put(worker, now.plusSeconds(run.seconds()));
                        isEndKnown.put(worker, run.isLengthKnown());
                    }
                    waiting.remove(run);
                    placed.add(run);
                } else if (reserved == null) {
                    reserved = earliest;
                }
            }
            return new Passed(placed, reserved);
        }

        private AvailabilityProfile availability() {
            Map<WorkerId, Instant> freeAt = new HashMap<>();
            busyUntil.forEach((worker, end) -> {
                if (end.isAfter(now)) {
                    freeAt.put(worker, isEndKnown.getOrDefault(worker, true) ? end : Instant.MAX);
                }
            });
            return new AvailabilityProfile(now, freeAt);
        }

        private Decision decide(Wanted run, Predicate<WorkerId> mayBeTaken) {
            return Placement.decide(
                    run.configuration(),
                    Placement.Wanted.all(run.configuration()),
                    lab,
                    worker -> isFree(worker.id()) && mayBeTaken.test(worker.id()),
                    _ -> List.of(),
                    _ -> false,
                    _ -> true);
        }

        private boolean isFree(WorkerId worker) {
            return !busyUntil.getOrDefault(worker, now).isAfter(now);
        }

        /** Advances the time to the next end of a run. */
        void advance() {
            now =
                    busyUntil.values().stream()
                            .filter(end -> end.isAfter(now))
                            .min(Comparator.naturalOrder())
                            .orElseThrow();
        }
    }

    @Test
    void longLaterRunDoesNotTakeReservedWorkers() {
        TestingQueue queue = new TestingQueue(3);
        Wanted running = new Wanted(1, 1, 100, true);
        Wanted large = new Wanted(2, 3, 100, true);
        queue.waiting.addAll(List.of(running, large, new Wanted(3, 1, 101, true)));

        assertThat(queue.pass().placed()).containsExactly(running);
    }

    @Test
    void runThatEndsBeforeTheReservationGoesFirst() {
        TestingQueue queue = new TestingQueue(3);
        Wanted running = new Wanted(1, 1, 100, true);
        Wanted brief = new Wanted(3, 2, 100, true);
        queue.waiting.addAll(List.of(running, new Wanted(2, 3, 100, true), brief));

        assertThat(queue.pass().placed()).containsExactly(running, brief);
    }

    @Test
    void runOfUnknownRuntimeTakesNoReservedWorkers() {
        TestingQueue queue = new TestingQueue(3);
        Wanted running = new Wanted(1, 1, 100, true);
        Wanted beside = new Wanted(3, 1, 1, false);
        queue.waiting.addAll(
                List.of(running, new Wanted(2, 2, 100, true), beside, new Wanted(4, 1, 1, false)));

        assertThat(queue.pass().placed()).hasSize(2);
        queue.waiting.clear();
        queue.waiting.addAll(List.of(new Wanted(5, 3, 1, true), beside));
        assertThat(queue.pass().placed()).isEmpty();
    }

    /** No run is known to end before a reservation of unknown start. */
    @Test
    void reservationOfUnknownStartAdmitsNoBackfill() {
        TestingQueue queue = new TestingQueue(2);
        queue.waiting.addAll(
                List.of(
                        new Wanted(1, 1, 100, false),
                        new Wanted(2, 2, 100, true),
                        new Wanted(3, 1, 1, true)));

        assertThat(queue.pass().placed()).hasSize(1);
    }

    @Test
    void largeRunStartsInAStreamOfSmallOnes() {
        TestingQueue queue = new TestingQueue(4);
        for (int number = 0; number < 4; number++) {
            queue.waiting.add(new Wanted(number, 1, 10 + number, false));
        }
        queue.pass();
        Wanted large = new Wanted(4, 4, 10, false);
        queue.waiting.add(large);
        int steps = 0;
        while (queue.waiting.contains(large)) {
            queue.waiting.add(new Wanted(5 + steps, 1, 10, false));
            queue.advance();
            queue.pass();
            steps++;
            assertThat(steps).isLessThanOrEqualTo(4);
        }
    }

    /** Holds for all later runs, as long as the same run is the first blocked one. */
    @Test
    void backfillNeverDelaysTheReservationIfEstimatesAreExact() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int workers = 1 + random.nextInt(12);
            TestingQueue queue = new TestingQueue(workers);
            int number = 0;
            Map<Wanted, Instant> promised = new HashMap<>();
            for (int step = 0; step < 60; step++) {
                for (int more = random.nextInt(4); more > 0; more--) {
                    queue.waiting.add(
                            new Wanted(
                                    number++,
                                    1 + random.nextInt(workers),
                                    1 + random.nextInt(100),
                                    true));
                }
                Passed passed = queue.pass();
                for (Wanted run : passed.placed()) {
                    Instant limit = promised.getOrDefault(run, Instant.MAX);
                    assertThat(queue.now)
                            .as("seed %d, round %d, step %d, %s", seed, round, step, run)
                            .isBeforeOrEqualTo(limit);
                }
                if (!queue.waiting.isEmpty() && passed.firstReserved() != null) {
                    promised.merge(
                            queue.waiting.getFirst(),
                            passed.firstReserved(),
                            (before, now) -> before.isBefore(now) ? before : now);
                }
                if (!queue.availability().earliest(queue.lab, workers).start().equals(queue.now)) {
                    queue.advance();
                }
            }
        }
    }
}
