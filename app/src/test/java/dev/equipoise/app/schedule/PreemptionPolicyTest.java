package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.queue.PreviousStop;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.PeerProbe;
import dev.equipoise.app.worker.WorkerState;
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

class PreemptionPolicyTest {

    private static final UUID PROJECT = new UUID(9, 1);
    private static final UUID OTHERS = new UUID(9, 2);
    private static final Instant NOW = Instant.EPOCH.plus(Duration.ofHours(1));
    private static final Duration DELAY = Duration.ofSeconds(60);
    private static final Duration EXEMPT_TIME = Duration.ofMinutes(5);

    private Map<UUID, Double> used = Map.of();

    private static Set<WorkerId> workers(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(it -> WorkerId.of(new UUID(1, it)))
                .collect(Collectors.toSet());
    }

    private static RunId run(int number) {
        return RunId.of(new UUID(2, number));
    }

    /** A run of the project with priority 0 that has trained for 30 min. */
    private static PreemptionPolicy.Training training(int number, int... workers) {
        return training(number, PROJECT, 0, Duration.ofMinutes(30), workers);
    }

    private static PreemptionPolicy.Training training(
            int number, UUID project, int priority, Duration since, int... workers) {
        return new PreemptionPolicy.Training(
                run(number),
                project,
                priority,
                NOW.minus(since),
                NOW.minus(since),
                false,
                null,
                workers(workers));
    }

    private static PreemptionPolicy.Training asked(PreemptionPolicy.Training it) {
        return with(it, true, null);
    }

    private static PreemptionPolicy.Training refused(
            PreemptionPolicy.Training it, Duration ago, @Nullable Instant until) {
        return with(it, false, new PreemptionRefusal("the disk is full", 1, NOW.minus(ago), until));
    }

    private static PreemptionPolicy.Training with(
            PreemptionPolicy.Training it, boolean isAsked, @Nullable PreemptionRefusal refusal) {
        return new PreemptionPolicy.Training(
                it.run(),
                it.project(),
                it.priority(),
                it.queuedAt(),
                it.since(),
                isAsked,
                refusal,
                it.workers());
    }

    /** A run of the project with priority 5 that has waited for 2 min. */
    private static PreemptionPolicy.Blocked blocked(
            int wanted, Set<WorkerId> free, int... eligible) {
        return new PreemptionPolicy.Blocked(
                queued(Duration.ofMinutes(2), null), workers(eligible), free, wanted);
    }

    private static QueuedRun queued(Duration since, @Nullable PreviousStop previousStop) {
        QueuedRun like = TestingPlacement.queued(1, PROJECT, 5);
        return new QueuedRun(
                like.id(),
                like.project(),
                like.configuration(),
                like.priority(),
                null,
                Duration.ofSeconds(100),
                NOW.minus(since),
                previousStop);
    }

    private Set<RunId> chosen(
            PreemptionPolicy.Blocked blocked, PreemptionPolicy.Training... training) {
        return policy(Duration.ZERO).runsToPreempt(blocked, List.of(training));
    }

    private PreemptionPolicy policy(Duration step) {
        return new PreemptionPolicy(DELAY, EXEMPT_TIME, new PriorityAging(step), used, NOW);
    }

    private static LabWorker labWorker(int number, WorkerState state, PeerProbe... probes) {
        LabWorker worker = TestingPlacement.worker(number, state, Map.of());
        return TestingPlacement.settled(worker, worker.name() + ":5702", List.of(probes));
    }

    private static PreemptionPolicy.Training trainingOn(int number, LabWorker worker) {
        PreemptionPolicy.Training like = training(number);
        return new PreemptionPolicy.Training(
                like.run(),
                like.project(),
                like.priority(),
                like.queuedAt(),
                like.since(),
                like.isAsked(),
                like.refusal(),
                Set.of(worker.id()));
    }

    /** Else one run would be preempted in vain. */
    @Test
    void idleWorkerThatNobodyReachesDoesNotCountAsFree() {
        LabWorker unreachable = labWorker(1, WorkerState.IDLE);
        var missed =
                new PeerProbe(
                        unreachable.id(),
                        unreachable.name() + ":5702",
                        "connection timed out",
                        Instant.EPOCH,
                        1,
                        Instant.EPOCH);
        LabWorker idle = labWorker(0, WorkerState.IDLE, missed);
        LabWorker first = labWorker(2, WorkerState.BUSY, missed);
        LabWorker second = labWorker(3, WorkerState.BUSY, missed);
        List<LabWorker> live = List.of(idle, unreachable, first, second);
        List<LabWorker> obtainable =
                SchedulingPass.obtainable(
                        TestingPlacement.wants(3, Map.of(), TestingPlacement.EQUAL), live, live);

        PreemptionPolicy.Blocked head =
                SchedulingPass.head(
                        queued(Duration.ofMinutes(2), null),
                        obtainable,
                        Set.of(idle.id(), unreachable.id()),
                        3);

        assertThat(head.free()).containsExactly(idle.id());
        assertThat(chosen(head, trainingOn(1, first), trainingOn(2, second)))
                .containsExactlyInAnyOrder(run(1), run(2));
    }

    @Test
    void refusalExcludesRunForSomeTime() {
        PreemptionPolicy.Training later =
                refused(training(1, 1), Duration.ofSeconds(59), NOW.plusSeconds(1));
        PreemptionPolicy.Training again = refused(training(1, 1), Duration.ofSeconds(60), NOW);
        PreemptionPolicy.Training never = refused(training(1, 1), Duration.ofMinutes(20), null);

        assertThat(chosen(blocked(1, Set.of(), 1), later)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1), again)).containsExactly(run(1));
        assertThat(chosen(blocked(1, Set.of(), 1), never)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1, 2), never, training(2, 2)))
                .as("another run can save its checkpoint")
                .containsExactly(run(2));
    }

    @Test
    void messageNamesRunThatCannotBePreempted() {
        PreemptionPolicy.Training never = refused(training(1, 1), Duration.ofMinutes(20), null);
        PreemptionPolicy.Training other =
                refused(
                        training(2, PROJECT, 9, Duration.ofMinutes(30), 1),
                        Duration.ofMinutes(20),
                        null);

        assertThat(policy(Duration.ZERO).obstacle(blocked(1, Set.of(), 1), List.of(never)))
                .contains("run %s cannot be preempted: the disk is full".formatted(run(1)));
        assertThat(policy(Duration.ZERO).obstacle(blocked(1, Set.of(), 1), List.of(other)))
                .as("its priority is higher")
                .isEmpty();
        assertThat(policy(Duration.ZERO).obstacle(blocked(1, Set.of(), 2), List.of(never)))
                .as("it has none of the eligible workers")
                .isEmpty();
        assertThat(
                        policy(Duration.ZERO)
                                .obstacle(
                                        blocked(1, Set.of(), 1, 2), List.of(never, training(2, 2))))
                .as("another run is preempted")
                .isEmpty();
        var young =
                new PreemptionPolicy.Blocked(
                        queued(Duration.ofSeconds(59), null), workers(1), Set.of(), 1);
        assertThat(policy(Duration.ZERO).obstacle(young, List.of(never)))
                .as("the preemption delay has not passed")
                .isEmpty();
    }

    @Test
    void messageHidesRunsOfOtherProjects() {
        used = Map.of(PROJECT, 50.0, OTHERS, 150.0);
        PreemptionPolicy.Training never =
                refused(
                        training(1, OTHERS, 0, Duration.ofMinutes(30), 1),
                        Duration.ofMinutes(20),
                        null);

        assertThat(policy(Duration.ZERO).obstacle(blocked(1, Set.of(), 1), List.of(never)))
                .contains(
                        "a run of another project that would be preempted cannot save its checkpoint");
    }

    /** A preempted run that aging puts first would get its workers back at once. */
    @Test
    void agedRunIsNotPreempted() {
        assertThat(
                        policy(Duration.ofMinutes(6))
                                .runsToPreempt(blocked(1, Set.of(), 1), List.of(training(1, 1))))
                .containsExactly(run(1));
        assertThat(
                        policy(Duration.ofMinutes(5))
                                .runsToPreempt(blocked(1, Set.of(), 1), List.of(training(1, 1))))
                .as("28 min older, which exceeds 5 steps of 5 min")
                .isEmpty();
    }

    @Test
    void runOfLowerPriorityIsPreempted() {
        assertThat(chosen(blocked(1, Set.of(), 1), training(1, 1))).containsExactly(run(1));
    }

    @Test
    void runOfEqualPriorityIsNotPreempted() {
        assertThat(
                        chosen(
                                blocked(1, Set.of(), 1),
                                training(1, PROJECT, 5, Duration.ofMinutes(30), 1)))
                .isEmpty();
    }

    @Test
    void runOfProjectWithMoreUsageIsPreempted() {
        var other = training(1, OTHERS, 100, Duration.ofMinutes(30), 1);
        used = Map.of(PROJECT, 50.0, OTHERS, 150.0);
        assertThat(chosen(blocked(1, Set.of(), 1), other)).containsExactly(run(1));

        // The blocked project would have more usage after its run, and would be preempted in turn.
        used = Map.of(PROJECT, 51.0, OTHERS, 150.0);
        assertThat(chosen(blocked(1, Set.of(), 1), other)).isEmpty();
    }

    @Test
    void noRunIsPreemptedBeforeThePreemptionDelay() {
        var young =
                new PreemptionPolicy.Blocked(
                        queued(Duration.ofSeconds(59), null), workers(1), Set.of(), 1);
        var back =
                new PreemptionPolicy.Blocked(
                        queued(
                                Duration.ofMinutes(50),
                                new PreviousStop(run(8), null, 3, NOW.minusSeconds(59))),
                        workers(1),
                        Set.of(),
                        1);

        assertThat(chosen(young, training(1, 1))).isEmpty();
        assertThat(chosen(back, training(1, 1))).isEmpty();
    }

    @Test
    void youngRunIsExemptUnlessItIsBeingPreempted() {
        var young = training(1, PROJECT, 0, Duration.ofSeconds(299), 1);

        assertThat(chosen(blocked(1, Set.of(), 1), young)).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 1), asked(young))).containsExactly(run(1));
    }

    @Test
    void noRunIsPreemptedIfTooFewWorkersWouldBecomeFree() {
        assertThat(chosen(blocked(3, Set.of(), 1, 2), training(1, 1, 2))).isEmpty();
        assertThat(chosen(blocked(1, Set.of(), 3), training(1, 1, 2))).isEmpty();
    }

    @Test
    void noRunIsPreemptedIfEnoughWorkersAreFree() {
        assertThat(chosen(blocked(1, workers(2), 1, 2), training(1, 1))).isEmpty();
    }

    @Test
    void freeWorkersReduceThePreemptedRuns() {
        assertThat(
                        chosen(
                                blocked(2, workers(3), 1, 2, 3),
                                training(1, PROJECT, 0, Duration.ofMinutes(20), 1),
                                training(2, PROJECT, 0, Duration.ofMinutes(10), 2)))
                .containsExactly(run(2));
    }

    @Test
    void fewestAndYoungestRunsArePreempted() {
        var one = training(1, PROJECT, 0, Duration.ofMinutes(10), 1);
        var two = training(2, PROJECT, 0, Duration.ofMinutes(20), 2, 3);
        var three = training(3, PROJECT, 0, Duration.ofMinutes(15), 4, 5);

        assertThat(chosen(blocked(2, Set.of(), 1, 2, 3, 4, 5), one, two, three))
                .containsExactly(run(3));
        assertThat(chosen(blocked(3, Set.of(), 1, 2, 3, 4, 5), one, two, three))
                .containsExactlyInAnyOrder(run(3), run(1));
    }

    @Test
    void runBeingPreemptedStaysSelected() {
        var older = asked(training(1, PROJECT, 0, Duration.ofMinutes(20), 1));
        var younger = training(2, PROJECT, 0, Duration.ofMinutes(10), 2);

        assertThat(chosen(blocked(1, Set.of(), 1, 2), older, younger)).containsExactly(run(1));
    }
}
