package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Lists and counts the open runs of the lab. */
@Service
public class OpenRuns {

    private static final int TIMEOUT_SECONDS = 5;

    private final RunRepository runs;
    private final Clock clock;

    OpenRuns(RunRepository runs, Clock clock) {
        this.runs = runs;
        this.clock = clock;
    }

    /**
     * Numbers of open runs.
     *
     * @param byState runs in each state; no entry for a state without runs
     * @param paused queued runs whose restart delay has not passed
     * @param oldest waiting time of the first queued run; zero if none is queued
     */
    public record Count(Map<RunState, Long> byState, long paused, Duration oldest) {

        public Count {
            byState = Map.copyOf(byState);
        }

        private static Count of(List<RunRepository.StateCount> counted, Instant now) {
            Map<RunState, Long> byState = new EnumMap<>(RunState.class);
            counted.forEach(it -> byState.put(it.state(), it.runs()));
            return counted.stream()
                    .filter(it -> it.state() == RunState.QUEUED)
                    .findFirst()
                    .map(it -> new Count(byState, it.paused(), Duration.between(it.since(), now)))
                    .orElseGet(() -> new Count(byState, 0, Duration.ZERO));
        }
    }

    /** Returns the runs that have not ended. */
    @Transactional(readOnly = true)
    public Set<RunId> ids() {
        return runs.findNotOver().stream().map(RunId::of).collect(Collectors.toSet());
    }

    @Transactional(readOnly = true, timeout = TIMEOUT_SECONDS)
    public Count count() {
        Instant now = clock.instant();
        return Count.of(runs.countOpen(now), now);
    }
}
