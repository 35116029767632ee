package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.FailureCause;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * With what the ranks of a generation begin, by checksums of their weights.
 *
 * @param begun what each rank has, but those that are lost
 * @param ended what each had at the end of the epoch whose checkpoint they begin with; none where
 *     they begin with no checkpoint
 * @param resumed with what they go on that others have in memory; else null
 */
record Beginning(
        RunConfiguration configuration,
        SortedMap<Integer, String> begun,
        List<String> ended,
        @Nullable Resumed resumed) {

    private static final RunFailure APART =
            new RunFailure(
                    FailureCause.WORKER,
                    "replicas-differ",
                    "the replicas do not start from the same parameters");

    private static final RunFailure ELSEWHERE =
            new RunFailure(
                    FailureCause.WORKER,
                    "checkpoint-differs",
                    "the replicas do not start from the parameters with which those before them"
                            + " ended");

    Beginning {
        begun = Collections.unmodifiableSortedMap(new TreeMap<>(begun));
        ended = List.copyOf(ended);
    }

    /** What is wrong with it; empty where nothing is. */
    Optional<RunFailure> fault() {
        if (resumed != null) {
            return faultAfter(resumed);
        }
        return ended.isEmpty()
                ? faultOfEqual(List.copyOf(begun.values()), List.of())
                : faultAfterCheckpoint();
    }

    private Optional<RunFailure> faultAfter(Resumed resumption) {
        if (resumption.isAlike() && new HashSet<>(begun.values()).size() > 1) {
            return Optional.of(APART);
        }
        boolean goesOn =
                begun.entrySet().stream()
                        .allMatch(it -> resumption.allows(it.getKey(), it.getValue()));
        return goesOn ? Optional.empty() : Optional.of(ELSEWHERE);
    }

    /** Ranks that have no weights of their own have whatever they have. */
    private Optional<RunFailure> faultAfterCheckpoint() {
        int first = configuration.ranksWithoutWeights();
        List<String> now = List.copyOf(begun.tailMap(first).values());
        List<String> before = ended.subList(first, ended.size());
        if (configuration.endsEpochsWithEqualReplicas()) {
            return faultOfEqual(now, before);
        }
        return now.size() == before.size() && !now.equals(before)
                ? Optional.of(ELSEWHERE)
                : Optional.empty();
    }

    private Optional<RunFailure> faultOfEqual(List<String> now, List<String> before) {
        if (new HashSet<>(now).size() > 1) {
            return Optional.of(APART);
        }
        return now.containsAll(before) ? Optional.empty() : Optional.of(ELSEWHERE);
    }
}
