package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RecoverySettings;
import dev.equipoise.app.time.ClockCoverage;
import dev.equipoise.app.time.Deadline;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Ends the grace periods of runs whose ranks wait for ranks that have not reported. While the clock
 * jumps, or this instance does not run, no rank can report: grace periods end only after a whole
 * one without such a gap.
 */
@Service
public class GracePeriods {

    /** Time between two checks that is no gap; checks are half a second apart. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

    private final RunLocks locks;
    private final RunRepository runs;
    private final Recovery recovery;
    private final Duration length;
    private final Clock clock;
    private final ClockCoverage coverage;

    GracePeriods(
            RunLocks locks,
            RunRepository runs,
            Recovery recovery,
            RecoverySettings settings,
            Clock clock) {
        this.locks = locks;
        this.runs = runs;
        this.recovery = recovery;
        this.length = settings.patience();
        this.clock = clock;
        this.coverage = new ClockCoverage(length, LONGEST_GAP);
    }

    /** Returns the runs whose grace period has expired. Must be called every few seconds. */
    @Transactional(readOnly = true)
    public List<RunId> overdue() {
        if (!coverage.at(clock)) {
            return List.of();
        }
        Instant now = clock.instant();
        return runs.findOverdue(now, Deadline.latestEnd(length, now)).stream()
                .map(RunId::of)
                .toList();
    }

    /** Reconfigures or restarts a run whose grace period has expired; ignores any other run. */
    @Transactional
    public void end(RunId id) {
        Run run = locks.lock(id);
        Instant until = run.gracePeriodEnd();
        if (until != null && !Deadline.isAhead(until, length, clock.instant())) {
            recovery.settle(run, true);
        }
    }
}
