package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Ends the grace periods of runs whose ranks wait for ranks that have not reported. */
@Service
public class GracePeriods {

    private final RunLocks locks;
    private final RunRepository runs;
    private final Recovery recovery;
    private final Clock clock;

    GracePeriods(RunLocks locks, RunRepository runs, Recovery recovery, Clock clock) {
        this.locks = locks;
        this.runs = runs;
        this.recovery = recovery;
        this.clock = clock;
    }

    /** Returns the runs whose grace period has expired. */
    @Transactional(readOnly = true)
    public List<RunId> overdue() {
        return runs.findOverdue(clock.instant()).stream().map(RunId::of).toList();
    }

    /** Reconfigures or restarts a run whose grace period has expired; ignores any other run. */
    @Transactional
    public void end(RunId id) {
        Run run = locks.lock(id);
        Instant until = run.gracePeriodEnd();
        if (until != null && !until.isAfter(clock.instant())) {
            recovery.settle(run, true);
        }
    }
}
