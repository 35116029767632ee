package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.recovery.StoppedRank;
import dev.equipoise.protocol.FailureCause;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ranks with which a run does not continue.
 *
 * @param ranks all ranks of the generation
 * @param left ranks that are not lost
 */
record LostRanks(List<RunRank> ranks, List<Integer> left) {

    LostRanks {
        ranks = List.copyOf(ranks);
        left = List.copyOf(left);
    }

    /** Describes which ranks are lost: by the first failure, or by the ranks that miss others. */
    RunFailure failure() {
        return ranks.stream()
                .map(RunRank::stopped)
                .filter(StoppedRank.Lost.class::isInstance)
                .map(it -> ((StoppedRank.Lost) it).failure())
                .findFirst()
                .orElseGet(() -> new RunFailure(FailureCause.WORKER, "peer-lost", description()));
    }

    private String description() {
        List<RunRank> lost = outOfContact();
        return lost.isEmpty()
                ? "the ranks lost contact with one another"
                : lost.stream()
                        .map(RunRank::description)
                        .collect(
                                Collectors.joining(", ", "the other ranks lost contact with ", ""));
    }

    /** Returns the ranks that others have lost contact with, remaining ranks excluded. */
    List<RunRank> outOfContact() {
        Set<Integer> missing =
                ranks.stream()
                        .map(RunRank::stopped)
                        .filter(StoppedRank.Waiting.class::isInstance)
                        .flatMap(it -> ((StoppedRank.Waiting) it).missing().stream())
                        .collect(Collectors.toSet());
        return ranks.stream()
                .filter(it -> missing.contains(it.rank()) && !left.contains(it.rank()))
                .toList();
    }
}
