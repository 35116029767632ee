package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.QueuePlace;
import dev.equipoise.app.schedule.Outlook.Standing;
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

class OutlookTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final LabWorker one = worker(1, WorkerState.BUSY, Map.of());
    private final LabWorker two = worker(2, WorkerState.BUSY, Map.of());
    private final RunId first = RunId.of(new UUID(0, 1));
    private final RunId second = RunId.of(new UUID(0, 2));
    private final RunId third = RunId.of(new UUID(0, 3));

    private Horizon horizon() {
        return new Horizon(
                NOW, Map.of(one.id(), NOW.plusSeconds(10), two.id(), NOW.plusSeconds(30)));
    }

    private static Instant after(int seconds) {
        return NOW.plusSeconds(seconds);
    }

    private Standing wants(RunId run, int workers, int seconds) {
        return new Standing(run, List.of(one, two), workers, Duration.ofSeconds(seconds));
    }

    @Test
    void eachRunFollowsThoseBeforeIt() {
        assertThat(
                        Outlook.of(
                                List.of(
                                        wants(first, 2, 100),
                                        wants(second, 1, 50),
                                        wants(third, 1, 60)),
                                horizon()))
                .containsExactly(
                        Map.entry(first, new QueuePlace(1, after(30))),
                        Map.entry(second, new QueuePlace(2, after(130))),
                        Map.entry(third, new QueuePlace(3, after(130))));
    }

    @Test
    void behindARunOfUnknownLengthNobodyKnows() {
        assertThat(
                        Outlook.of(
                                List.of(
                                        new Standing(first, List.of(one, two), 1, null),
                                        wants(second, 1, 50),
                                        wants(third, 2, 60)),
                                horizon()))
                .containsExactly(
                        Map.entry(first, new QueuePlace(1, after(10))),
                        Map.entry(second, new QueuePlace(2, after(30))),
                        Map.entry(third, new QueuePlace(3, null)));
    }

    private static RunId run(int number) {
        return RunId.of(new UUID(1, number));
    }

    @Test
    void ofALongQueueInASmallLabEachHasItsStart() {
        List<Standing> order =
                IntStream.range(0, 2000).mapToObj(number -> wants(run(number), 2, 10)).toList();

        assertThat(Outlook.of(order, horizon()).values())
                .containsExactlyElementsOf(
                        IntStream.range(0, 2000)
                                .mapToObj(number ->
                                        new QueuePlace(number + 1, after(30 + 10 * number)))
                                .toList());
    }

    private static final List<LabWorker> THOUSAND =
            List.copyOf(
                    IntStream.range(0, 1000)
                            .mapToObj(number -> worker(number, WorkerState.IDLE, Map.of()))
                            .toList());

    private static Standing inALargeLab(int number, int workers, @Nullable Duration length) {
        return new Standing(run(number), THOUSAND, workers, length);
    }

    private static final int PLAYED = Outlook.MOST_LOOKED_AT / THOUSAND.size();

    @Test
    void behindWhatIsPlayedTheWorkBeforeARunIsShared() {
        // Every other one cannot begin, and costs nothing.
        List<Standing> order =
                IntStream.range(0, 4 * PLAYED)
                        .mapToObj(number ->
                                inALargeLab(number, 1000 + number % 2, Duration.ofSeconds(10)))
                        .toList();

        assertThat(Outlook.of(order, new Horizon(NOW, Map.of())).values())
                .containsExactlyElementsOf(
                        IntStream.range(0, 4 * PLAYED)
                                .mapToObj(number ->
                                        new QueuePlace(
                                                number + 1,
                                                number % 2 == 0 ? after(5 * number) : null))
                                .toList());
    }

    @Test
    void behindThemARunOfUnknownLengthKeepsItsWorkersToo() {
        List<Standing> order =
                Stream.concat(
                                IntStream.range(0, PLAYED)
                                        .mapToObj(number ->
                                                inALargeLab(number, 1000, Duration.ofSeconds(1))),
                                Stream.of(
                                        inALargeLab(9001, 600, null),
                                        inALargeLab(9002, 400, Duration.ofSeconds(10)),
                                        inALargeLab(9003, 600, Duration.ofSeconds(10)),
                                        inALargeLab(9004, 1, Duration.ofSeconds(10))))
                        .toList();

        Map<RunId, QueuePlace> places = Outlook.of(order, new Horizon(NOW, Map.of()));

        assertThat(places)
                .containsEntry(run(9001), new QueuePlace(PLAYED + 1, after(PLAYED)))
                .containsEntry(run(9002), new QueuePlace(PLAYED + 2, after(PLAYED)))
                .containsEntry(run(9003), new QueuePlace(PLAYED + 3, null))
                .containsEntry(run(9004), new QueuePlace(PLAYED + 4, null));
    }

    @Test
    void aRunForWhichThereAreTooFewHasNoStartAndKeepsNobodyWaiting() {
        assertThat(Outlook.of(List.of(wants(first, 3, 100), wants(second, 1, 50)), horizon()))
                .containsExactly(
                        Map.entry(first, new QueuePlace(1, null)),
                        Map.entry(second, new QueuePlace(2, after(10))));
    }
}
