package dev.equipoise.app.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** How many runs there are that are not over, for who watches the lab. */
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
     * The runs of the whole lab.
     *
     * @param byState those of a state; none where there is no such run
     * @param paused the queued ones that are not to be tried again yet
     * @param oldest for how long the first of the queued ones waits; zero where none does
     */
    public record Count(Map<RunState, Long> byState, long paused, Duration oldest) {

        public Count {
            byState = Map.copyOf(byState);
        }

        private static Count of(List<RunRepository.OfState> counted, Instant now) {
            Map<RunState, Long> byState = new EnumMap<>(RunState.class);
            counted.forEach(it -> byState.put(it.state(), it.runs()));
            return counted.stream()
                    .filter(it -> it.state() == RunState.QUEUED)
                    .findFirst()
                    .map(it -> new Count(byState, it.paused(), Duration.between(it.since(), now)))
                    .orElseGet(() -> new Count(byState, 0, Duration.ZERO));
        }
    }

    @Transactional(readOnly = true, timeout = TIMEOUT_SECONDS)
    public Count count() {
        Instant now = clock.instant();
        return Count.of(runs.countOpen(now), now);
    }
}
