package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.LinksFailed;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.ProfilesGivenUp;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunFailure;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunPreempted;
import dev.equipoise.app.run.RunSetBack;
import dev.equipoise.app.run.RunStandsStill;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.WorkerGone;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Who holds what. A worker is busy as long as it has an open assignment, and after one was taken
 * from it until it asks for work again: before that it may not know, and be at work still.
 */
@Component
class Assignments {

    private static final int KEY_BYTES = 32;
    private static final Set<String> BLAMELESS =
            Set.of("peer-lost", "worker-drained", "checkpoint-unavailable");

    private final AssignmentRepository assignments;
    private final Workers workers;
    private final RunLifecycle runs;
    private final Profiles profiles;
    private final Links links;
    private final Usage usage;
    private final Turn turn;
    private final SecureRandom random;
    private final Clock clock;

    Assignments(
            AssignmentRepository assignments,
            Workers workers,
            RunLifecycle runs,
            Profiles profiles,
            Links links,
            Usage usage,
            Turn turn,
            SecureRandom random,
            Clock clock) {
        this.assignments = assignments;
        this.workers = workers;
        this.runs = runs;
        this.profiles = profiles;
        this.links = links;
        this.usage = usage;
        this.turn = turn;
        this.random = random;
        this.clock = clock;
    }

    /**
     * Gives the ranks of a run to their workers, of which one may have all.
     *
     * @param own the turn in which that was decided; what is used of quotas is as it was then
     * @param hybrid how the ranks share hidden units; null where they do not
     * @param speeds of the ranks of a virtual run that has none of its own; else none
     * @param costs of the links between them, where the run follows these; else none
     * @return false, and nothing is done, where the run or a worker is not free for it any more, or
     *     the turn is over
     */
    @Transactional
    boolean offerRun(
            Turn.Taken own,
            RunId run,
            List<Seat> seats,
            @Nullable Hybrid hybrid,
            List<Execution.Speed> speeds,
            List<MeasuredLink> costs) {
        if (!turn.keep(own) || !runs.claim(run) || !inOrder(seats).allMatch(workers::holdFree)) {
            return false;
        }
        int generation = runs.place(run, seats, hybrid, speeds, costs);
        byte[] key = newKey();
        Set<WorkerId> seated = new HashSet<>();
        for (int rank = 0; rank < seats.size(); rank++) {
            WorkerId worker = seats.get(rank).worker();
            if (seated.add(worker)) {
                workers.occupy(worker);
                assignments.save(
                        WorkerAssignment.ofRun(
                                worker, run, rank, generation, key, clock.instant()));
            }
        }
        return true;
    }

    /**
     * The same with a run of which something was chosen.
     *
     * @param own the turn in which it was
     * @param chosen in which everything is told
     */
    @Transactional
    boolean offerChosen(
            Turn.Taken own,
            RunId run,
            RunConfiguration chosen,
            List<Seat> seats,
            List<Execution.Speed> speeds) {
        if (!offerRun(own, run, seats, null, speeds, List.of())) {
            return false;
        }
        runs.choose(run, chosen);
        return true;
    }

    /**
     * Gives the ranks of a measurement of links to their workers.
     *
     * @return false, and nothing is done, where it or a worker is not free for it any more
     */
    @Transactional
    boolean offerLinks(UUID measurement, List<WorkerId> ranks) {
        if (!ranks.stream().allMatch(workers::holdFree) || !links.begin(measurement)) {
            return false;
        }
        byte[] key = newKey();
        for (int rank = 0; rank < ranks.size(); rank++) {
            WorkerId worker = ranks.get(rank);
            workers.occupy(worker);
            assignments.save(
                    WorkerAssignment.ofLinks(worker, measurement, rank, key, clock.instant()));
        }
        return true;
    }

    /** Always the same, so that no two wait for each other. */
    private static Stream<WorkerId> inOrder(List<Seat> seats) {
        return seats.stream()
                .map(Seat::worker)
                .distinct()
                .sorted(Comparator.comparing(WorkerId::toString));
    }

    private byte[] newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    /**
     * Gives the profiles of a session to their workers.
     *
     * @param ranks the workers in the order of their ranks
     * @return false, and nothing is done, where it or a worker is not free for it any more
     */
    @Transactional
    boolean offerProfiles(UUID session, List<WorkerId> ranks) {
        if (!ranks.stream().allMatch(workers::holdFree)) {
            return false;
        }
        Map<WorkerId, UUID> pending = profiles.pending(session);
        byte[] key = newKey();
        for (int rank = 0; rank < pending.size(); rank++) {
            WorkerId worker = ranks.get(rank);
            workers.occupy(worker);
            assignments.save(
                    WorkerAssignment.ofProfile(
                            worker,
                            Objects.requireNonNull(pending.get(worker)),
                            rank,
                            key,
                            clock.instant()));
        }
        return !pending.isEmpty();
    }

    /**
     * One of a worker.
     *
     * @throws Problem {@code not-found}, also where it is another worker's
     */
    @Transactional(readOnly = true)
    WorkerAssignment find(AssignmentId id, WorkerId worker) {
        return assignments
                .findById(id.value())
                .filter(it -> it.worker().equals(worker))
                .orElseThrow(() -> Problem.notFound("assignment", id));
    }

    @Transactional(readOnly = true)
    Optional<RunId> runOf(AssignmentId id, WorkerId worker) {
        return assignments.findRun(id.value(), worker.value()).map(RunId::of);
    }

    @Transactional(readOnly = true)
    Optional<WorkerAssignment> openOf(WorkerId worker) {
        return assignments.findByWorkerIdAndStateIn(worker.value(), AssignmentState.OPEN).stream()
                .findFirst();
    }

    /** Those of the workers whose last work was a measurement. */
    @Transactional(readOnly = true)
    Set<WorkerId> measuredLast(Set<WorkerId> some) {
        return some.isEmpty()
                ? Set.of()
                : assignments.findMeasuredLast(some.stream().map(WorkerId::value).toList()).stream()
                        .map(WorkerId::of)
                        .collect(Collectors.toSet());
    }

    /** The workers that have been offered something and have not taken it yet. */
    @Transactional(readOnly = true)
    List<WorkerId> offered() {
        return assignments.findOffered().stream().map(WorkerId::of).toList();
    }

    /** How many workers the runs of a project have. */
    @Transactional(readOnly = true)
    int heldBy(UUID project) {
        return assignments.countHeld(project);
    }

    /** The workers that are at work, and on what. */
    @Transactional(readOnly = true)
    List<AssignmentRepository.AtWork> atWork() {
        return assignments.findAtWork(AssignmentState.OPEN);
    }

    /**
     * Keeps others away from it until the transaction ends, and first from its run, or from what it
     * measures with others, so that the reports of two ranks do not wait for each other. A lease
     * and a worker's going come to the run last: where they meet a report the database ends one of
     * the two, which is tried again.
     *
     * @throws Problem {@code not-found}, also where it is another worker's
     */
    @Transactional
    WorkerAssignment lock(AssignmentId id, WorkerId worker) {
        assignments.findRun(id.value(), worker.value()).map(RunId::of).ifPresent(runs::hold);
        assignments.findLinkMeasurement(id.value(), worker.value()).ifPresent(links::hold);
        assignments.findProfile(id.value(), worker.value()).ifPresent(profiles::hold);
        return assignments
                .findForUpdate(id.value(), worker.value())
                .orElseThrow(() -> Problem.notFound("assignment", id));
    }

    /**
     * Frees a worker that asks for work and has none. Held while that is looked up, as it might be
     * given some at this moment.
     */
    @Transactional
    void rest(WorkerId worker) {
        workers.hold(worker);
        if (assignments.findByWorkerIdAndStateIn(worker.value(), AssignmentState.HELD).isEmpty()) {
            workers.release(worker);
        }
    }

    /**
     * Its worker has said its last word on it.
     *
     * @param last that word
     */
    @Transactional
    void finish(WorkerAssignment assignment, AgentEvent last) {
        if (last instanceof AgentEvent.Interrupted) {
            assignment.park();
            return;
        }
        assignment.finish(clock.instant());
        workers.release(assignment.worker());
        if (assignment.subject() instanceof WorkerAssignment.Subject.OfRun) {
            judge(assignment.worker(), last);
        }
    }

    private void judge(WorkerId worker, AgentEvent last) {
        if (!(last instanceof AgentEvent.Failed failed)) {
            workers.succeed(worker);
        } else if (isOwnFault(failed)) {
            workers.coolDown(worker);
        }
    }

    /** Who lost a peer, or leaves, or was given what nobody can do, does well with other work. */
    private static boolean isOwnFault(AgentEvent.Failed failed) {
        return failed.cause() != FailureCause.USER && !BLAMELESS.contains(failed.code());
    }

    @EventListener
    @Transactional
    void on(RunEnded ended) {
        List<WorkerAssignment> parts = assignments.findByRunId(ended.run().value());
        takeBack(parts);
        charge(ended.run(), ended.generation(), ended.project(), parts);
    }

    /** Its agents are told to leave off, but for those that have already. */
    @EventListener
    @Transactional
    void on(RunSetBack setBack) {
        List<WorkerAssignment> parts = assignments.findByRunId(setBack.run().value());
        takeBack(parts);
        charge(setBack.run(), setBack.generation(), setBack.project(), parts);
    }

    /** Its agents have said their last word on it, so that their workers are free already. */
    @EventListener
    @Transactional
    void on(RunPreempted preempted) {
        charge(
                preempted.run(),
                preempted.generation(),
                preempted.project(),
                assignments.findByRunId(preempted.run().value()));
    }

    private void charge(RunId run, int generation, UUID project, List<WorkerAssignment> parts) {
        Instant now = clock.instant();
        List<WorkerAssignment> last =
                parts.stream().filter(it -> it.generation() == generation).toList();
        if (!last.isEmpty()) {
            usage.charge(
                    new Charge(
                            run.value(),
                            generation,
                            project,
                            last.stream().mapToDouble(part -> part.heldSeconds(now)).sum(),
                            now));
        }
    }

    @EventListener
    @Transactional
    void on(LinksFailed failed) {
        assignments
                .findByLinkMeasurementIdAndStateIn(failed.measurement(), AssignmentState.OPEN)
                .forEach(this::takeBack);
    }

    @EventListener
    @Transactional
    void on(ProfilesGivenUp givenUp) {
        assignments
                .findByProfileIdInAndStateIn(givenUp.profiles(), AssignmentState.OPEN)
                .forEach(this::takeBack);
    }

    private void takeBack(List<WorkerAssignment> parts) {
        parts.stream().filter(WorkerAssignment::isParked).forEach(this::free);
        parts.stream().filter(WorkerAssignment::isOpen).forEach(this::takeBack);
    }

    private void free(WorkerAssignment parked) {
        parked.finish(clock.instant());
        workers.release(parked.worker());
    }

    /**
     * Gives the ranks of a run that are left to the workers that have them, in a new generation;
     * those that are not among them are taken back.
     *
     * @param seats in the order of the new ranks, each on a worker that is kept for the run, or
     *     free
     * @param places which of the definition's ranks they are
     */
    @Transactional
    void regroup(RunStandsStill still, List<Seat> seats, List<Integer> places) {
        List<WorkerAssignment> parts =
                assignments.findByRunId(still.run().value()).stream()
                        .filter(it -> it.generation() == still.generation())
                        .toList();
        Set<WorkerId> left = seats.stream().map(Seat::worker).collect(Collectors.toSet());
        parts.stream()
                .filter(it -> it.isParked() && left.contains(it.worker()))
                .forEach(it -> it.finish(clock.instant()));
        takeBack(parts);
        charge(still.run(), still.generation(), still.project(), parts);
        int generation = runs.regroup(still.run(), seats, places, still.resumed());
        seats.stream().map(Seat::worker).skip(still.left().size()).forEach(workers::occupy);
        byte[] key = newKey();
        for (int rank = 0; rank < seats.size(); rank++) {
            assignments.save(
                    WorkerAssignment.ofRun(
                            seats.get(rank).worker(),
                            still.run(),
                            rank,
                            generation,
                            key,
                            clock.instant()));
        }
    }

    /** Its worker has lost it, and what it still says of it is refused. */
    @Transactional
    void revoke(WorkerAssignment lost) {
        lost.revoke(clock.instant());
    }

    /** A worker that does not know of it yet is free at once. */
    private void takeBack(WorkerAssignment open) {
        boolean unknown = open.state() == AssignmentState.OFFERED;
        open.revoke(clock.instant());
        if (unknown) {
            workers.release(open.worker());
        }
    }

    @EventListener
    @Transactional
    void on(WorkerGone gone) {
        for (WorkerAssignment open :
                assignments.findByWorkerIdAndStateIn(gone.worker().value(), AssignmentState.HELD)) {
            open.revoke(clock.instant());
            if (open.subject() instanceof WorkerAssignment.Subject.OfRun part) {
                runs.lose(
                        part.run(),
                        part.rank(),
                        new RunFailure(
                                FailureCause.WORKER,
                                "worker-gone",
                                "rank %d on %s %s"
                                        .formatted(part.rank(), gone.name(), gone.how())));
            }
        }
    }
}
