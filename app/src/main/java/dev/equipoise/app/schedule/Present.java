package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunQueue.UnderWay;
import dev.equipoise.app.schedule.AssignmentRepository.AtWork;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the workers of the lab do at one moment.
 *
 * @param held those that runs have
 * @param horizon when they are expected to be done
 * @param mayMakeRoom the runs that train and may be asked to leave their workers to another
 */
record Present(List<Held> held, Horizon horizon, List<RoomMaking.Training> mayMakeRoom) {

    Present {
        held = List.copyOf(held);
        mayMakeRoom = List.copyOf(mayMakeRoom);
    }

    /**
     * Puts together what was read one after the other: a run that has ended meanwhile holds nobody
     * any more.
     */
    static Present of(List<AtWork> atWork, List<UnderWay> underWay, Instant now) {
        Map<RunId, UnderWay> runs =
                underWay.stream().collect(Collectors.toMap(UnderWay::id, Function.identity()));
        List<Held> held = new ArrayList<>();
        Map<WorkerId, Instant> freeAt = new HashMap<>();
        for (AtWork it : atWork) {
            WorkerId worker = WorkerId.of(it.worker());
            if (it.run() == null) {
                freeAt.put(worker, Expectation.end(it.since(), Expectation.MEASURING, now));
                continue;
            }
            UnderWay run = runs.get(RunId.of(it.run()));
            if (run != null) {
                held.add(new Held(worker, run.id(), run.project(), it.since()));
                freeAt.put(worker, Expectation.endOf(run, it.since(), now));
            }
        }
        return new Present(held, new Horizon(now, freeAt), mayMakeRoom(held, underWay));
    }

    private static List<RoomMaking.Training> mayMakeRoom(List<Held> held, List<UnderWay> underWay) {
        Map<RunId, Set<WorkerId>> workers =
                held.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Held::run,
                                        Collectors.mapping(Held::worker, Collectors.toSet())));
        List<RoomMaking.Training> training = new ArrayList<>();
        for (UnderWay run : underWay) {
            Instant since = run.startedAt();
            if (run.isPreemptible() && since != null) {
                training.add(
                        new RoomMaking.Training(
                                run.id(),
                                run.project(),
                                run.priority(),
                                run.queuedAt(),
                                since,
                                run.isAsked(),
                                run.refusal(),
                                workers.getOrDefault(run.id(), Set.of())));
            }
        }
        return training;
    }
}
