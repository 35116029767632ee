package dev.equipoise.app.recovery;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.FailureCause;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks by weight checksums that the ranks of a generation begin with the right weights.
 *
 * @param begun checksum of each rank, lost ranks excluded
 * @param isFromCheckpoint whether they have loaded a checkpoint
 * @param ended checksum of each rank at the end of the epoch of that checkpoint, in the generation
 *     that stored it, ranks lost before excluded; none without a checkpoint
 * @param resumed the retained state with which they continue; else null
 */
public record InitialStateCheck(
        RunConfiguration configuration,
        SortedMap<Integer, String> begun,
        boolean isFromCheckpoint,
        SortedMap<Integer, String> ended,
        @Nullable ResumePoint resumed) {

    private static final RunFailure REPLICAS_DIFFER =
            new RunFailure(
                    FailureCause.WORKER,
                    "replicas-differ",
                    "the replicas do not start from the same parameters");

    private static final RunFailure CHECKPOINT_DIFFERS =
            new RunFailure(
                    FailureCause.WORKER,
                    "checkpoint-differs",
                    "the replicas do not start from the parameters at the end of the checkpoint's"
                            + " epoch");

    public InitialStateCheck {
        begun = Collections.unmodifiableSortedMap(new TreeMap<>(begun));
        ended = Collections.unmodifiableSortedMap(new TreeMap<>(ended));
    }

    /** Returns the failure; empty if all ranks begin with the right weights. */
    public Optional<RunFailure> fault() {
        if (resumed != null) {
            return faultAfter(resumed);
        }
        return isFromCheckpoint ? faultAfterCheckpoint() : faultOfEqual(begun.values(), List.of());
    }

    private Optional<RunFailure> faultAfter(ResumePoint resumePoint) {
        if (resumePoint.isAlike() && new HashSet<>(begun.values()).size() > 1) {
            return Optional.of(REPLICAS_DIFFER);
        }
        boolean isAllowed =
                begun.entrySet().stream()
                        .allMatch(it -> resumePoint.allows(it.getKey(), it.getValue()));
        return isAllowed ? Optional.empty() : Optional.of(CHECKPOINT_DIFFERS);
    }

    /**
     * Compares all ranks that have weights of their own with the checkpoint. Replicas that should
     * be equal may have ended the epoch with different weights, on processors that round
     * differently: then all begin with those of the lowest rank.
     */
    private Optional<RunFailure> faultAfterCheckpoint() {
        int first = configuration.ranksWithoutWeights();
        SortedMap<Integer, String> now = begun.tailMap(first);
        SortedMap<Integer, String> before = ended.tailMap(first);
        if (configuration.endsEpochsWithEqualReplicas()) {
            return faultOfEqual(now.values(), before.headMap(first + 1).values());
        }
        return now.keySet().equals(before.keySet()) && !now.equals(before)
                ? Optional.of(CHECKPOINT_DIFFERS)
                : Optional.empty();
    }

    private Optional<RunFailure> faultOfEqual(Collection<String> now, Collection<String> before) {
        if (new HashSet<>(now).size() > 1) {
            return Optional.of(REPLICAS_DIFFER);
        }
        return now.containsAll(before) ? Optional.empty() : Optional.of(CHECKPOINT_DIFFERS);
    }
}
