package dev.equipoise.app.run;

import dev.equipoise.app.run.RunRankRepository.Slowest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Progress of the slowest rank of a run; the fraction is from 0 to 1.
 *
 * @param epoch epoch in training, from 1; 0 before the first
 * @param epochs number of epochs of the run
 * @param round completed rounds of the epoch
 * @param rounds rounds of an epoch
 * @param fraction completed part of the run
 */
public record Progress(int epoch, int epochs, int round, int rounds, double fraction) {

    /** Reads the progress of some runs with one query. */
    static Function<Run, Progress> of(RunRankRepository runRanks, List<Run> some) {
        Map<UUID, Slowest> byRun =
                runRanks.findSlowest(some.stream().map(Run::id).toList()).stream()
                        .collect(Collectors.toMap(Slowest::run, Function.identity()));
        return run -> {
            Slowest slowest = byRun.getOrDefault(run.id(), new Slowest(run.id(), 0, 0));
            return of(run, slowest.epoch(), slowest.round());
        };
    }

    /**
     * Returns the progress of a run by that of its slowest rank; a completed run is at its end.
     *
     * @param epoch 0 before the first
     */
    static Progress of(Run run, int epoch, int round) {
        int epochs = run.configuration().training().epochs();
        int rounds = run.rounds();
        if (run.state() == RunState.COMPLETED) {
            return new Progress(epochs, epochs, rounds, rounds, 1.0);
        }
        return epoch == 0
                ? new Progress(0, epochs, 0, rounds, 0.0)
                : new Progress(
                        epoch,
                        epochs,
                        round,
                        rounds,
                        (epoch - 1 + round / (double) rounds) / epochs);
    }
}
