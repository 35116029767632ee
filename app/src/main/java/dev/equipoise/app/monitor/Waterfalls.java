package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunSnapshot;
import dev.equipoise.app.run.RunTimeline;
import dev.equipoise.app.run.RunTimeline.Timeline;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.RankTimeStore;
import dev.equipoise.app.telemetry.RunTimes;
import dev.equipoise.app.telemetry.RunTimes.OfRank;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads the waterfalls of runs. */
@Service
class Waterfalls {

    private final Runs runs;
    private final RunTimeline timelines;
    private final RankTimeStore times;
    private final EpochStore epochs;
    private final Clock clock;

    Waterfalls(
            Runs runs, RunTimeline timelines, RankTimeStore times, EpochStore epochs, Clock clock) {
        this.runs = runs;
        this.timelines = timelines;
        this.times = times;
        this.epochs = epochs;
        this.clock = clock;
    }

    /**
     * Finds the waterfall of a run.
     *
     * @throws Problem {@code not-found} if the run does not exist
     */
    @Transactional(readOnly = true)
    Waterfall find(Caller.User caller, RunId id) {
        RunSnapshot run = runs.snapshot(caller, id);
        Timeline timeline = timelines.of(id).orElseThrow(() -> Problem.notFound("run", id));
        return Waterfall.of(timeline, longest(run), epochs.phaseSums(id.value()), clock.instant());
    }

    /** Returns none for a virtual run: its ranks report seconds of a virtual clock. */
    private List<OfRank> longest(RunSnapshot run) {
        RunTimes known =
                run.configuration().execution() instanceof Execution.Virtual
                        ? null
                        : times.of(run.id().value());
        return known == null ? List.of() : known.longest();
    }
}
