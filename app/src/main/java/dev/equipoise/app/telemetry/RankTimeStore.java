package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.PhasesElapsed;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Store of the times of ranks by run phase. A run that repeats epochs keeps those it has spent. */
@Component
public class RankTimeStore {

    private final RankTimeRepository times;

    RankTimeStore(RankTimeRepository times) {
        this.times = times;
    }

    /** Stores the time of a rank in a generation, in place of its report before. */
    public void keep(UUID run, int generation, PhasesElapsed elapsed) {
        times.save(new RankTime(run, generation, elapsed));
    }

    /** Returns the times of a run; null if no rank has reported any. */
    public @Nullable RunTimes of(UUID run) {
        return RunTimes.of(
                times.findByKeyRunIdOrderByKeyGenerationAscKeyRankAsc(run).stream()
                        .map(RankTime::read)
                        .toList());
    }
}
