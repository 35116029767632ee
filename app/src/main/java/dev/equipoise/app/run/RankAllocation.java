package dev.equipoise.app.run;

import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Worker, share and memory bound of one rank of a placed run.
 *
 * @param share samples of an epoch
 * @param room memory bound: samples of a round for which the worker has memory
 * @param stepSeconds predicted time of a training step; null without a profile
 * @param profiles ids of the profiles behind the worker's speed
 * @param processor processor of the worker and its instruction set; null if unknown
 * @param backend numeric library of the worker
 */
public record RankAllocation(
        WorkerId worker,
        String workerName,
        int share,
        int room,
        @Nullable Double stepSeconds,
        List<UUID> profiles,
        @Nullable String processor,
        String backend) {

    public RankAllocation {
        profiles = List.copyOf(profiles);
    }

    public RankAllocation(
            WorkerId worker,
            String workerName,
            int share,
            int room,
            @Nullable Double stepSeconds,
            @Nullable String processor,
            String backend) {
        this(worker, workerName, share, room, stepSeconds, List.of(), processor, backend);
    }

    public RankAllocation by(List<UUID> others) {
        return new RankAllocation(
                worker, workerName, share, room, stepSeconds, others, processor, backend);
    }
}
