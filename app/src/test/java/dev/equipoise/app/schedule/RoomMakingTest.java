package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.Interruption;
import dev.equipoise.app.run.Refusal;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoomMakingTest {

    private static final UUID PROJECT = new UUID(9, 1);
    private static final UUID OTHERS = new UUID(9, 2);
    private static final Instant NOW = Instant.EPOCH.plus(Duration.ofHours(1));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SPARED = Duration.ofMinutes(5);

    private Map<UUID, Double> used = Map.of();

    private static Set<WorkerId> workers(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(it -> WorkerId.of(new UUID(1, it)))
                .collect(Collectors.toSet());
    }

    private static RunId run(int number) {
        return RunId.of(new UUID(2, number));
    }

    /** In the project, of priority 0, for half an hour. */
    private static RoomMaking.Training training(int number, int... workers) {
        return training(number, PROJECT, 0, Duration.ofMinutes(30), workers);
    }

    private static RoomMaking.Training training(
            int number, UUID project, int priority, Duration since, int... workers) {
        return new RoomMaking.Training(
                run(number),
                project,
                priority,
                NOW.minus(since),
                NOW.minus(since),
                false,
                null,
                workers(workers));
    }

    private static RoomMaking.Training asked(RoomMaking.Training it) {
        return with(it, true, null);
    }

    private static RoomMaking.Training refused(
            RoomMaking.Training it, Duration ago, @Nullable Instant until) {
        return with(it, false, new Refusal("the disk is full", 1, NOW.minus(ago), until));
    }

    private static RoomMaking.Training with(
            RoomMaking.Training it, boolean isAsked, @Nullable Refusal refusal) {
        return new RoomMaking.Training(
                it.run(),
                it.project(),
                it.priority(),
                it.queuedAt(),
                it.since(),
                isAsked,
                refusal,
                it.workers());
    }

    /** In the project, of priority 5, for two minutes. */
    private static RoomMaking.Blocked blocked(int wanted, Set<WorkerId> free, int... fitting) {
        return new RoomMaking.Blocked(
                queued(Duration.ofMinutes(2), null), workers(fitting), free, wanted);
    }

    private static Queued queued(Duration since, @Nullable Interruption interruption) {
        Queued like = TestingPlacement.queued(1, PROJECT, 5);
        return new Queued(
                like.id(),
                like.project(),
                like.configuration(),
                like.priority(),
                null,
                Duration.ofSeconds(100),
                NOW.minus(since),
                interruption);
    }

    private Set<RunId> chosen(RoomMaking.Blocked blocked, RoomMaking.Training... training) {
        return deciding(Duration.ZERO).forThe(blocked, List.of(training));
    }

    private RoomMaking deciding(Duration step) {
        return new RoomMaking(PATIENCE, SPARED, new Ageing(step), used, NOW);
    }

    @Test
    void oneWhoseCheckpointWasNotKeptIsNotAskedForSomeTime() {
        RoomMaking.Training later =
                refused(training(1, 1), Duration.ofSeconds(59), NOW.plusSeconds(1));
        RoomMaking.Training again = refused(training(1, 1), Duration.ofSeconds(60), NOW);
        RoomMaking.Training never = refused(training(1, 1), Duration.ofMinutes(20), null);

        assertThat(chosen(blocked(1, Set.of(), 1), later)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1), again)).containsExactly(run(1));
        assertThat(chosen(blocked(1, Set.of(), 1), never)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1, 2), never, training(2, 2)))
                .as("another can")
                .containsExactly(run(2));
    }

    @Test
    void whoWaitsIsToldWhoCannotMakeRoom() {
        RoomMaking.Training never = refused(training(1, 1), Duration.ofMinutes(20), null);
        RoomMaking.Training other =
                refused(
                        training(2, PROJECT, 9, Duration.ofMinutes(30), 1),
                        Duration.ofMinutes(20),
                        null);

        assertThat(deciding(Duration.ZERO).inVain(blocked(1, Set.of(), 1), List.of(never)))
                .contains("run %s cannot make room: the disk is full".formatted(run(1)));
        assertThat(deciding(Duration.ZERO).inVain(blocked(1, Set.of(), 1), List.of(other)))
                .as("it need not")
                .isEmpty();
        assertThat(deciding(Duration.ZERO).inVain(blocked(1, Set.of(), 2), List.of(never)))
                .as("it has none of these workers")
                .isEmpty();
        assertThat(
                        deciding(Duration.ZERO)
                                .inVain(blocked(1, Set.of(), 1, 2), List.of(never, training(2, 2))))
                .as("another makes room")
                .isEmpty();
        var young =
                new RoomMaking.Blocked(
                        queued(Duration.ofSeconds(59), null), workers(1), Set.of(), 1);
        assertThat(deciding(Duration.ZERO).inVain(young, List.of(never)))
                .as("nobody would be asked yet")
                .isEmpty();
    }

    @Test
    void whoWaitsIsToldNothingOfRunsOfOtherProjects() {
        used = Map.of(PROJECT, 50.0, OTHERS, 150.0);
        RoomMaking.Training never =
                refused(
                        training(1, OTHERS, 0, Duration.ofMinutes(30), 1),
                        Duration.ofMinutes(20),
                        null);

        assertThat(deciding(Duration.ZERO).inVain(blocked(1, Set.of(), 1), List.of(never)))
                .contains(
                        "a run of another project that would make room cannot keep its checkpoint");
    }

    /** It would be first again as soon as it waits, and get its workers back. */
    @Test
    void oneThatGoesBeforeByItsAgeIsNotAsked() {
        assertThat(
                        deciding(Duration.ofMinutes(6))
                                .forThe(blocked(1, Set.of(), 1), List.of(training(1, 1))))
                .containsExactly(run(1));
        assertThat(
                        deciding(Duration.ofMinutes(5))
                                .forThe(blocked(1, Set.of(), 1), List.of(training(1, 1))))
                .as("28 minutes older, which is more than 5 times 5")
                .isEmpty();
    }

    @Test
    void aRunOfLowerPriorityMakesRoom() {
        assertThat(chosen(blocked(1, Set.of(), 1), training(1, 1))).containsExactly(run(1));
    }

    @Test
    void oneOfTheSamePriorityDoesNot() {
        assertThat(
                        chosen(
                                blocked(1, Set.of(), 1),
                                training(1, PROJECT, 5, Duration.ofMinutes(30), 1)))
                .isEmpty();
    }

    @Test
    void aProjectThatHasUsedMoreMakesRoomWhateverThePriority() {
        var other = training(1, OTHERS, 100, Duration.ofMinutes(30), 1);
        used = Map.of(PROJECT, 50.0, OTHERS, 150.0);
        assertThat(chosen(blocked(1, Set.of(), 1), other)).containsExactly(run(1));

        // It will have used more itself when the run is over, and would make room in turn.
        used = Map.of(PROJECT, 51.0, OTHERS, 150.0);
        assertThat(chosen(blocked(1, Set.of(), 1), other)).isEmpty();
    }

    @Test
    void nobodyIsAskedForARunThatHasNotWaitedForLong() {
        var young =
                new RoomMaking.Blocked(
                        queued(Duration.ofSeconds(59), null), workers(1), Set.of(), 1);
        var back =
                new RoomMaking.Blocked(
                        queued(
                                Duration.ofMinutes(50),
                                new Interruption(run(8), null, 3, NOW.minusSeconds(59))),
                        workers(1),
                        Set.of(),
                        1);

        assertThat(chosen(young, training(1, 1))).isEmpty();
        assertThat(chosen(back, training(1, 1))).isEmpty();
    }

    @Test
    void aRunThatHasNotTrainedForLongIsSparedUnlessItIsAskedAlready() {
        var young = training(1, PROJECT, 0, Duration.ofSeconds(299), 1);

        assertThat(chosen(blocked(1, Set.of(), 1), young)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1), asked(young))).containsExactly(run(1));
    }

    @Test
    void nobodyIsAskedWhereThatWouldNotBeEnough() {
        assertThat(chosen(blocked(3, Set.of(), 1, 2), training(1, 1, 2))).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 3), training(1, 1, 2))).isEmpty();
    }

    @Test
    void nobodyIsAskedWhereEnoughAreFree() {
        assertThat(chosen(blocked(1, workers(2), 1, 2), training(1, 1))).isEmpty();
    }

    @Test
    void whatIsFreeNeedNotBeFreed() {
        assertThat(
                        chosen(
                                blocked(2, workers(3), 1, 2, 3),
                                training(1, PROJECT, 0, Duration.ofMinutes(20), 1),
                                training(2, PROJECT, 0, Duration.ofMinutes(10), 2)))
                .containsExactly(run(2));
    }

    @Test
    void theFewestMakeRoomAndOfTheSameTheYoungest() {
        var one = training(1, PROJECT, 0, Duration.ofMinutes(10), 1);
        var two = training(2, PROJECT, 0, Duration.ofMinutes(20), 2, 3);
        var three = training(3, PROJECT, 0, Duration.ofMinutes(15), 4, 5);

        assertThat(chosen(blocked(2, Set.of(), 1, 2, 3, 4, 5), one, two, three))
                .containsExactly(run(3));
        assertThat(chosen(blocked(3, Set.of(), 1, 2, 3, 4, 5), one, two, three))
                .containsExactlyInAnyOrder(run(3), run(1));
    }

    @Test
    void whoIsAskedStaysAsked() {
        var older = asked(training(1, PROJECT, 0, Duration.ofMinutes(20), 1));
        var younger = training(2, PROJECT, 0, Duration.ofMinutes(10), 2);

        assertThat(chosen(blocked(1, Set.of(), 1, 2), older, younger)).containsExactly(run(1));
    }
}
